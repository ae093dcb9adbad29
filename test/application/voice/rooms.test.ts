import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { finish, type Speech, text } from '../chat/process.ts';
import { handsFree, noise, pushToTalk, silence, spoken, TestRooms } from './room.ts';

/** Says what was asked last, with these words before it. */
function saying(before: string): Speech {
  return async function* ({ messages }) {
    const last = messages.at(-1);
    const asked =
      last?.role === 'user' ? last.parts.map((part) => ('text' in part ? part.text : '')).join('') : '';
    yield text(`${before}${asked}.`);
    yield finish;
  };
}

const heardIn = async (rooms: TestRooms, sessionId: string) =>
  (await rooms.history(sessionId)).map(({ role, content }) => `${role}: ${content}`);

describe('push to talk', () => {
  it('answers out loud at the pace of time, and the turn is one of the chat session', async () => {
    const rooms = await TestRooms.start(saying('You said '));
    const ann = rooms.enter(pushToTalk);
    await ann.say('what time is it', 100);
    assert.equal(ann.last('transcript').text, 'what time is it');
    assert.ok(ann.audioMs <= 200, `${ann.audioMs} ms after 100 ms`);
    await rooms.pace.pass(3_000);
    assert.equal(ann.audioMs, 1_200);
    assert.equal(ann.words, 'You said what time is it.');
    assert.equal(ann.last('response_done').response.status, 'completed');
    assert.deepEqual(await heardIn(rooms, ann.talk.sessionId), [
      'user: what time is it',
      'assistant: You said what time is it.',
    ]);
    assert.deepEqual(rooms.failures, []);
  });

  it('tells the items in order, each with the one before it', async () => {
    const rooms = await TestRooms.start(saying('Yes: '));
    const ann = rooms.enter(pushToTalk);
    await ann.say('one', 2_000);
    await ann.say('two', 2_000);
    const added = ann.all('item_added').map(({ item, previousItemId }) => [item.id, previousItemId]);
    assert.deepEqual(
      added.map(([, previous]) => previous),
      [null, ...added.map(([id]) => id).slice(0, 3)],
    );
  });

  it('says as text what a client wants as text', async () => {
    const rooms = await TestRooms.start(saying('You said '));
    const ann = rooms.enter({ ...pushToTalk, modality: 'text' });
    await ann.say('hello', 10);
    assert.equal(ann.last('text_done').text, 'You said hello.');
    assert.equal(ann.audioMs, 0);
    assert.deepEqual(await heardIn(rooms, ann.talk.sessionId), ['user: hello', 'assistant: You said hello.']);
  });

  it('tells that nothing was understood, and answers nothing', async () => {
    const rooms = await TestRooms.start(saying('You said '));
    rooms.ears.isBroken = true;
    const ann = rooms.enter(pushToTalk);
    await ann.say('hello', 1_000);
    assert.equal(ann.last('transcript_failed').code, 'STT_UNAVAILABLE');
    assert.equal(ann.all('response_created').length, 0);
  });
});

describe('hands free', () => {
  it('answers once the user has finished', async () => {
    const rooms = await TestRooms.start(saying('You said '));
    const ann = rooms.enter(handsFree);
    await ann.hear(silence(500), spoken('turn on the light'), silence(1_500));
    assert.equal(ann.last('transcript').text, 'turn on the light');
    await rooms.pace.pass(4_000);
    assert.equal(ann.words, 'You said turn on the light.');
  });

  it('holds as history what was heard when the user interrupts', async () => {
    const rooms = await TestRooms.start(saying('Listen to this long story of '));
    const ann = rooms.enter(handsFree);
    await ann.hear(silence(500), spoken('everything there is'), silence(1_400));
    assert.ok(ann.audioMs > 0);
    await ann.hear(spoken('stop that please now'), silence(1_000));
    const [first] = ann.all('response_done');
    assert.equal(first?.response.status, 'cancelled');
    assert.equal(first?.response.reason, 'turn_detected');
    await rooms.pace.pass(5_000);
    const told = await heardIn(rooms, ann.talk.sessionId);
    assert.match(told[1] ?? '', /^assistant: Listen( to)?( this)?( long)?( story)?( of)?( everything)?$/);
    assert.equal(told[2], 'user: stop that please now');
    const lowered = ann.all('audio').filter(({ isLowered }) => isLowered);
    assert.ok(lowered.length > 0 && lowered.every(({ samples }) => samples.every((one) => one <= 126)));
  });

  it('goes on where it was interrupted by something that had no words', async () => {
    const rooms = await TestRooms.start(saying('Listen to this long story of '));
    const ann = rooms.enter(handsFree);
    await ann.hear(silence(500), spoken('everything there is'), silence(1_400));
    await ann.hear(noise(600), silence(1_500));
    await rooms.pace.pass(8_000);
    const told = await heardIn(rooms, ann.talk.sessionId);
    assert.deepEqual(told, [
      'user: everything there is',
      'assistant: Listen to this long story of everything there is.',
    ]);
  });
});
