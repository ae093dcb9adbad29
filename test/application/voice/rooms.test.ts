import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import {
  type ContentPart,
  type ConversationItem,
  DEFAULT_DETECTION,
} from '../../../src/application/voice/conversation.ts';
import { HarkError, isHarkError } from '../../../src/errors.ts';
import type { CompletionPart } from '../../../src/gateways/models/gateway.ts';
import { onSpan } from '../../../src/tracing/live.ts';
import type { Span } from '../../../src/tracing/span.ts';
import { SharedStore } from '../../support/sharedStore.ts';
import { call, finish, type Speech, text } from '../chat/process.ts';
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

  it('tells whoever traces how long it took to understand and to speak', async (t) => {
    const spans: Span[] = [];
    t.onTestFinished(onSpan((span) => void spans.push(span)));
    const rooms = await TestRooms.start(saying('You said '));
    const ann = rooms.enter(pushToTalk);
    await ann.say('what time is it', 100);
    await rooms.pace.pass(3_000);
    assert.deepEqual(
      spans.map(({ name, attributes }) => [name, attributes['gen_ai.conversation.id']]),
      [
        ['speech_to_text', ann.talk.sessionId],
        ['text_to_speech', ann.talk.sessionId],
      ],
    );
    assert.deepEqual(
      spans.map(({ parentSpanId }) => parentSpanId !== undefined),
      [false, true],
    );
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
  it('is told as it is understood, each word once, whatever pauses are in it', async () => {
    const rooms = await TestRooms.start(script('Yes.'));
    rooms.ears.isStreaming = true;
    const ann = rooms.enter(handsFree);
    await ann.hear(silence(300), spoken('turn on the'), silence(320));
    assert.equal(ann.understood, 'turn on the');
    assert.ok(ann.all('transcript_delta').length >= 3);
    await ann.hear(spoken('light in here'), silence(800));
    assert.equal(ann.understood, 'turn on the light in here');
    assert.equal(ann.last('transcript').text, ann.understood);
    const lastOf = (type: string) => ann.told.findLastIndex((event) => event.type === type);
    assert.ok(lastOf('transcript_delta') < lastOf('transcript'));
  });

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

describe('what a client says of a response', () => {
  it('comes again with that one alone, also where another is said first', async () => {
    const rooms = await TestRooms.start(saying('You said '));
    const { detection } = handsFree;
    assert.ok(detection);
    const ann = rooms.enter({ ...handsFree, detection: { ...detection, createResponse: false } });
    await ann.hear(silence(500), spoken('turn on the'));
    rooms.rooms.speak('ann', { text: 'Tea is ready.' });
    ann.talk.respond({ metadata: { a: 'b' } });
    await ann.hear(silence(1_500));
    await rooms.pace.pass(5_000);
    const metadata = [...ann.all('response_created'), ...ann.all('response_done')].map(
      ({ response }) => response.metadata,
    );
    assert.deepEqual(metadata, [undefined, { a: 'b' }, undefined, { a: 'b' }]);
  });
});

describe('what hears and speaks', () => {
  it('is warmed when somebody comes, and when another voice or language is set', async () => {
    const rooms = await TestRooms.start(saying('You said '));
    const ann = rooms.enter(pushToTalk);
    ann.talk.configure({ language: 'de' });
    ann.talk.configure({ speed: 1.5 });
    ann.talk.configure({ voice: 'slt' });
    assert.deepEqual(
      rooms.warmed.map(({ language, voice }) => [language, voice]),
      [
        [undefined, undefined],
        ['de', undefined],
        ['de', 'slt'],
      ],
    );
  });
});

describe('the voice of a reply', () => {
  it('is the one that the client names, else the one that the user prefers', async () => {
    const rooms = await TestRooms.start(saying('You said '));
    rooms.preferredVoice = 'awb';
    const ann = rooms.enter(pushToTalk);
    await ann.say('hello', 2_000);
    ann.talk.configure({ voice: 'slt' });
    await ann.say('hello', 2_000);
    assert.deepEqual(rooms.mouth.voices, ['awb', 'slt']);
  });
});

describe('audio that is kept', () => {
  it('is kept from the first word, though nobody knew yet whether it would be', async () => {
    const rooms = await TestRooms.start(saying('You said '));
    rooms.isKeeping = true;
    const ann = rooms.enter(pushToTalk);
    await ann.say('what time is it', 3_000);
    assert.deepEqual(
      rooms.kept.map(({ role }) => role),
      ['user', 'assistant'],
    );
    const samples = rooms.kept.map(({ pieces }) => pieces.reduce((sum, { length }) => sum + length, 0));
    assert.ok(
      samples.every((count) => count >= 16_000),
      `${samples}`,
    );
  });
});

describe('a pause that may be the end', () => {
  it('has a turn prepared that need not come, once for each text, and writes nothing', async () => {
    const rooms = await TestRooms.start(saying('You said '));
    const ann = rooms.enter(handsFree);
    await ann.hear(silence(500), spoken('turn on'), silence(350));
    assert.deepEqual(rooms.prepared, ['ann: turn on']);
    assert.equal(ann.all('committed').length, 0);
    assert.deepEqual(await heardIn(rooms, ann.talk.sessionId), []);
    await ann.hear(spoken('the light'), silence(1_500));
    assert.equal(ann.last('transcript').text, 'turn on the light');
    assert.deepEqual(rooms.prepared, ['ann: turn on', 'ann: turn on the light']);
  });

  it('has none prepared where nobody is to answer', async () => {
    const rooms = await TestRooms.start(saying('You said '));
    const { detection } = handsFree;
    assert.ok(detection);
    const ann = rooms.enter({ ...handsFree, detection: { ...detection, createResponse: false } });
    await ann.hear(silence(500), spoken('turn on the light'), silence(1_500));
    assert.equal(ann.last('transcript').text, 'turn on the light');
    assert.deepEqual(rooms.prepared, []);
  });
});

describe('what is measured', () => {
  const measured = ({ statistics }: TestRooms) => {
    const { requestsPerMinute, latency } = statistics.figures();
    return [requestsPerMinute, latency.endOfTurn.count, latency.recognition.count];
  };

  it('is utterances that were understood', async () => {
    const rooms = await TestRooms.start(saying('You said '));
    const ann = rooms.enter(handsFree);
    await ann.hear(silence(500), noise(600), silence(1_500));
    assert.deepEqual(measured(rooms), [0, 0, 0]);
    await ann.hear(spoken('turn on the light'), silence(1_500));
    assert.deepEqual(measured(rooms), [1, 1, 1]);
  });

  it('is what one of several microphones heard', async () => {
    const rooms = await TestRooms.start(saying('You said '));
    const ann = rooms.enter(handsFree);
    const also = rooms.enter(handsFree, ann.talk.sessionId);
    for (const sound of [silence(500), spoken('turn on the light'), silence(1_500)])
      for (let at = 0; at < sound.length; at += 320) {
        also.talk.hear(sound.subarray(at, at + 320));
        await ann.hear(sound.subarray(at, at + 320));
      }
    assert.deepEqual(measured(rooms), [1, 1, 1]);
  });
});

/** Answers each message with what is next here. */
function script(
  ...answers: readonly (readonly CompletionPart[] | string)[]
): Speech & { readonly asked: string[][] } {
  const asked: string[][] = [];
  const speech: Speech = async function* ({ messages }) {
    asked.push(
      messages.map((message) =>
        message.role === 'user'
          ? `user: ${message.parts.map((part) => (part.type === 'text' ? part.text : `[${part.mimeType}]`)).join(' ')}`
          : message.role === 'tool'
            ? `tool: ${message.result}`
            : `assistant: ${message.text}`,
      ),
    );
    const answer = answers[asked.length - 1] ?? 'Nothing more.';
    yield* typeof answer === 'string' ? [text(answer)] : answer;
    yield finish;
  };
  return Object.assign(speech, { asked });
}

const typed = (id: string, said: string, ...more: readonly ContentPart[]): ConversationItem => ({
  ...{ id, type: 'message', role: 'user', status: 'completed' },
  content: [{ type: 'input_text', text: said }, ...more],
});

function refusedWith(code: string) {
  return (error: unknown) => isHarkError(error, 'BAD_REQUEST') && error.body.code === code;
}

describe('a client', () => {
  const tools = [{ name: 'open_door', description: 'Opens the door', parameters: { type: 'object' } }];

  it('runs its own tools: the call ends the response, and what came of it goes on', async () => {
    const model = script([text('One moment.'), call('c1', 'open_door')], 'The door is open.');
    const rooms = await TestRooms.start(model);
    const ann = rooms.enter({ ...pushToTalk, tools });
    await ann.say('open it', 2_000);
    const { response } = ann.last('response_done');
    assert.equal(response.status, 'completed');
    assert.deepEqual(
      response.output.map((item) => (item.type === 'function_call' ? [item.name, item.callId] : item.type)),
      ['message', ['open_door', 'c1']],
    );
    const output = {
      id: 'o1',
      type: 'function_call_output',
      status: 'completed',
      callId: 'c1',
      output: 'opened',
    } as const;
    ann.talk.add(output, undefined);
    ann.talk.respond({});
    await rooms.pace.pass(2_000);
    assert.deepEqual(model.asked[1], ['user: open it', 'assistant: One moment.', 'tool: opened']);
    assert.match(ann.words, /The door is open\.$/);
    const told = await heardIn(rooms, ann.talk.sessionId);
    assert.equal(told.at(-1), 'assistant: The door is open.');
  });

  it('has hark run its own tools beside them', async () => {
    const model = script([call('a', 'clock.read'), call('b', 'open_door')], 'Done.');
    const rooms = await TestRooms.start(model);
    const ann = rooms.enter({ ...pushToTalk, tools });
    await ann.say('open it', 100);
    ann.talk.add(
      { id: 'o', type: 'function_call_output', status: 'completed', callId: 'b', output: 'opened' },
      undefined,
    );
    ann.talk.respond({});
    await rooms.pace.pass(100);
    assert.deepEqual(model.asked[1], ['user: open it', 'assistant: ', 'tool: of clock.read', 'tool: opened']);
  });

  it('writes and shows, and asks for the answer', async () => {
    const model = script('A cat.');
    const rooms = await TestRooms.start(model);
    const ann = rooms.enter({ ...pushToTalk, modality: 'text' });
    const image = { type: 'input_image', mimeType: 'image/png', base64: 'iVBORw0KGgo=' } as const;
    ann.talk.add(typed('t1', 'What is this?', image), undefined);
    assert.equal(ann.all('response_created').length, 0);
    ann.talk.respond({});
    await rooms.pace.pass(10);
    assert.deepEqual(model.asked, [['user: What is this? [image/png]']]);
    assert.equal(ann.talk.find('t1')?.id, 't1');
    ann.talk.remove('t1');
    assert.equal(ann.talk.find('t1'), undefined);
  });

  it('has something said that nobody asked', async () => {
    const model = script('Good morning!');
    const rooms = await TestRooms.start(model);
    const ann = rooms.enter(pushToTalk);
    ann.talk.respond({ instructions: 'Greet the user' });
    await rooms.pace.pass(1_000);
    assert.deepEqual(model.asked, [['user: [Said by a client, not by the user]\nGreet the user']]);
    assert.equal(ann.words, 'Good morning!');
  });

  it('has one response at a time, and cancels what is there alone', async () => {
    const rooms = await TestRooms.start(script('This takes its time to say.'));
    const ann = rooms.enter(pushToTalk);
    assert.throws(() => ann.talk.cancel(undefined), refusedWith('response_cancel_not_active'));
    await ann.say('hello', 300);
    assert.throws(() => ann.talk.respond({}), refusedWith('conversation_already_has_active_response'));
    ann.talk.cancel(undefined);
    ann.talk.respond({});
    await rooms.pace.pass(3_000);
    assert.deepEqual(
      ann.all('response_done').map(({ response }) => response.status),
      ['cancelled', 'completed'],
    );
  });

  it('says what it played, which is what was heard', async () => {
    const rooms = await TestRooms.start(script('One two three four five six seven eight.'));
    const ann = rooms.enter(pushToTalk);
    await ann.say('count', 1_500);
    ann.talk.played(ann.last('response_created').response.id, 450);
    ann.talk.cancel(undefined);
    await rooms.pace.pass(10);
    assert.deepEqual((await heardIn(rooms, ann.talk.sessionId))[1], 'assistant: One two');
  });

  it('is interrupted while it still plays, behind the pace of time', async () => {
    const rooms = await TestRooms.start(script('One two three four five six seven eight.'));
    const ann = rooms.enter(pushToTalk);
    await ann.say('count', 1_400);
    ann.talk.played(ann.last('response_created').response.id, 450);
    await rooms.pace.pass(700);
    assert.equal(ann.all('response_done').length, 0);
    ann.talk.cancel(undefined);
    await rooms.pace.pass(10);
    assert.deepEqual((await heardIn(rooms, ann.talk.sessionId))[1], 'assistant: One two');
  });

  it('cuts a reply afterwards, to nothing too', async () => {
    const rooms = await TestRooms.start(script('One two three four.'));
    const ann = rooms.enter(pushToTalk);
    await ann.say('count', 3_000);
    const { itemId } = ann.last('audio').place;
    ann.talk.truncate(itemId, 400);
    await rooms.pace.pass(10);
    assert.deepEqual((await heardIn(rooms, ann.talk.sessionId))[1], 'assistant: One two');
    ann.talk.truncate(itemId, 0);
    await rooms.pace.pass(10);
    assert.match((await heardIn(rooms, ann.talk.sessionId))[1] ?? '', /^assistant: \[Nothing/);
    assert.equal(ann.last('item_truncated').audioEndMs, 0);
  });
});

describe('whatever a client sends', () => {
  it('is heard alike in pieces of any length', async () => {
    const rooms = await TestRooms.start(saying('You said '));
    const ann = rooms.enter(pushToTalk);
    const sound = spoken('one two three');
    for (let at = 0; at < sound.length; at += 7) ann.talk.hear(sound.subarray(at, at + 7));
    ann.talk.commit(true);
    await rooms.pace.pass(100);
    assert.equal(ann.last('transcript').text, 'one two three');
  });

  it('is heard at its time, also where a second of it comes at once', async () => {
    const rooms = await TestRooms.start(saying('You said '));
    const ann = rooms.enter(handsFree);
    const sounds = [silence(1_000), spoken('one two three four'), silence(1_200)];
    for (const sound of sounds) {
      ann.talk.hear(sound);
      await rooms.pace.pass(sound.length / 16);
    }
    assert.equal(ann.last('transcript').text, 'one two three four');
    const { atMs } = ann.last('speech_started');
    assert.ok(atMs >= 960 && atMs <= 1_100, `${atMs}`);
  });

  it('is refused where it is too long, and the oldest goes where it is too much', async () => {
    const rooms = await TestRooms.start(script());
    const ann = rooms.enter(pushToTalk);
    assert.throws(
      () => ann.talk.add(typed('long', 'x'.repeat(200_001)), undefined),
      refusedWith('invalid_value'),
    );
    for (let item = 0; item < 100; item++) ann.talk.add(typed(`t${item}`, 'x'.repeat(199_000)), undefined);
    assert.equal(ann.talk.find('t0'), undefined);
    assert.ok(ann.talk.find('t99'));
    assert.throws(
      () => {
        for (let text = 0; text < 100; text++) rooms.rooms.speak('ann', { text: 'Again.' });
      },
      (error) => isHarkError(error, 'TOO_MANY_REQUESTS'),
    );
  });
});

describe('a session', () => {
  it('outlives a lost connection, says the rest to whoever comes back, and ends when nobody does', async () => {
    const rooms = await TestRooms.start(script('One two three four five six seven eight nine ten.'));
    const ann = rooms.enter(pushToTalk);
    const { sessionId } = ann.talk;
    await ann.say('count', 800);
    ann.connection.leave(false);
    await rooms.pace.pass(30_000);
    assert.equal(rooms.sessions.of('ann')[0]?.isActive, false);
    const again = rooms.enter(pushToTalk, sessionId);
    const { id: responseId } = ann.last('response_created').response;
    assert.deepEqual(
      again.told.slice(0, 5).map((event) => event.type),
      ['state', 'response_created', 'output_item_added', 'item_added', 'content_part_added'],
    );
    assert.equal(again.last('response_created').response.id, responseId);
    assert.equal(again.last('item_added').item.id, ann.last('item_added').item.id);
    assert.equal(again.last('item_added').previousItemId, ann.last('item_added').previousItemId);
    await rooms.pace.pass(4_000);
    assert.ok(again.audioMs > 1_000);
    assert.equal(
      (await heardIn(rooms, sessionId))[1],
      'assistant: One two three four five six seven eight nine ten.',
    );
    again.connection.leave(false);
    await rooms.pace.pass(61_000);
    assert.deepEqual(rooms.sessions.of('ann'), []);
    assert.throws(() => rooms.enter(pushToTalk, sessionId), isUnknown);
    assert.deepEqual(await heardIn(rooms, sessionId), []);
  });

  it('ends where the client says so, in the middle of a word too', async () => {
    const rooms = await TestRooms.start(script('One two three four five six.'));
    const ann = rooms.enter(pushToTalk);
    await ann.say('count', 700);
    const heard: unknown[] = [];
    rooms.chat.context.store.onAppended((events) => {
      for (const { type, data } of events) heard.push([type, Reflect.get(Object(data), 'characters')]);
    });
    ann.connection.leave(true);
    await rooms.pace.pass(10);
    assert.deepEqual(heard, [
      ['chat.reply.heard', 'One two three'.length],
      ['sessionEnded', undefined],
    ]);
  });

  it('knows what was heard before another ends it', async () => {
    const rooms = await TestRooms.start(script('One two three four five six.'));
    const ann = rooms.enter(pushToTalk);
    await ann.say('count', 700);
    assert.equal(await rooms.rooms.leaveOff('ann', ann.talk.sessionId), true);
    assert.deepEqual((await heardIn(rooms, ann.talk.sessionId))[1], 'assistant: One two three');
    assert.equal(ann.told.at(-1)?.type, 'ended');
    assert.equal(await rooms.rooms.leaveOff('ann', ann.talk.sessionId), false);
  });

  it('goes on in writing when nobody speaks in it any more', async () => {
    const rooms = await TestRooms.start(script('Yes.'));
    const ann = rooms.enter(pushToTalk);
    await ann.say('are you there', 2_000);
    const { sessionId } = ann.talk;
    rooms.rooms.noteWriting('ann', sessionId);
    const counts = () => [rooms.sessions.activeCount(), rooms.sessions.openCount()];
    assert.deepEqual(counts(), [1, 1]);
    ann.connection.leave(false);
    assert.deepEqual(counts(), [0, 1]);
    await rooms.pace.pass(61_000);
    assert.deepEqual(counts(), [0, 0]);
    assert.equal((await heardIn(rooms, sessionId)).length, 2);
    // Taken up again, it is one in which people wrote.
    const again = rooms.enter(pushToTalk, sessionId);
    again.connection.leave(false);
    await rooms.pace.pass(61_000);
    assert.equal((await heardIn(rooms, sessionId)).length, 2);
  });

  it('ends when nothing was said in it for long', async () => {
    const rooms = await TestRooms.start(script());
    const ann = rooms.enter(pushToTalk);
    await rooms.pace.pass(31 * 60_000);
    assert.equal(ann.told.at(-1)?.type, 'ended');
    assert.equal(rooms.sessions.openCount(), 0);
  });

  it('is taken up in another process, with what was heard before a crash', async () => {
    const store = new SharedStore();
    const rooms = await TestRooms.start(
      script('One two three. Four five six. Seven eight nine.'),
      store.hold(),
    );
    const ann = rooms.enter(pushToTalk);
    await ann.say('count', 1_000);
    const { sessionId } = ann.talk;
    const model = script('Ten.');
    const after = await TestRooms.start(model, store.hold());
    assert.deepEqual((await heardIn(after, sessionId))[1], 'assistant: One two three.');
    const again = after.enter(pushToTalk, sessionId);
    await again.say('go on', 1_000);
    assert.deepEqual(model.asked[0], ['user: count', 'assistant: One two three.', 'user: go on']);
  });

  it('goes on answering while the log is away, and what was heard is there when it is back', async () => {
    const store = new SharedStore();
    const hold = store.hold();
    const rooms = await TestRooms.start(script('One two three four. Five six seven eight.'), hold);
    const ann = rooms.enter(pushToTalk);
    await ann.say('count', 300);
    const written = Promise.withResolvers<void>();
    rooms.chat.context.store.onAppended((events) => {
      if (events.some(({ type, data }) => type === 'chat.reply.heard' && Object(data).isLast))
        written.resolve();
    });
    hold.goAway();
    await rooms.pace.pass(4_000);
    assert.equal(ann.audioMs, 1_600);
    assert.equal(ann.last('response_done').response.status, 'completed');
    await hold.comeBack();
    await written.promise;
    const after = await TestRooms.start(script(), store.hold());
    assert.deepEqual(await heardIn(after, ann.talk.sessionId), [
      'user: count',
      'assistant: One two three four. Five six seven eight.',
    ]);
  });

  it('takes ten minutes of speech without an end by the minute, and keeps no more than it has to', async () => {
    const rooms = await TestRooms.start(script());
    const ann = rooms.enter({ ...handsFree, detection: { ...DEFAULT_DETECTION, createResponse: false } });
    const second = spoken('so on');
    const speech = new Int16Array(60 * 16_000);
    for (let at = 0; at + second.length <= speech.length; at += second.length) speech.set(second, at);
    for (let minute = 0; minute < 10; minute++) {
      for (let at = 0; at < speech.length; at += 3_200) ann.talk.hear(speech.subarray(at, at + 3_200));
      await rooms.pace.pass(1);
    }
    const { length } = ann.all('committed');
    assert.ok(length >= 9 && length <= 11, `${length} utterances`);
    assert.equal(ann.all('transcript').length, length);
    assert.deepEqual(rooms.failures, []);
  });

  it('keeps nothing of what was said before everything of the user was erased', async () => {
    const rooms = await TestRooms.start(script('One two three four five six.'));
    rooms.isKeeping = true;
    const ann = rooms.enter(pushToTalk);
    await rooms.pace.pass(1);
    await ann.say('count', 300);
    rooms.kept.length = 0;
    rooms.rooms.leaveAllOf('ann');
    await rooms.pace.pass(4_000);
    assert.deepEqual(rooms.kept, []);
    assert.equal(ann.told.at(-1)?.type, 'ended');
  });

  it('of two microphones in a room answers what they both hear once', async () => {
    const model = script('Yes.', 'Yes.');
    const rooms = await TestRooms.start(model);
    const ann = rooms.enter(handsFree);
    const phone = rooms.enter(handsFree, ann.talk.sessionId);
    for (const sound of [silence(300), spoken('are you there'), silence(1_200)])
      for (let at = 0; at < sound.length; at += 320) {
        ann.talk.hear(sound.subarray(at, at + 320));
        phone.talk.hear(sound.subarray(at, at + 320));
        await rooms.pace.pass(20);
      }
    assert.equal(model.asked.length, 1);
    assert.equal(phone.audioMs, ann.audioMs);
  });

  it('hears the second microphone after a cough near the first, over a reply', async () => {
    const rooms = await TestRooms.start(script('One two three four five six seven eight nine ten.', 'Yes.'));
    const ann = rooms.enter(handsFree);
    const phone = rooms.enter(handsFree, ann.talk.sessionId);
    await ann.hear(silence(300), spoken('count to ten'), silence(1_400));
    await ann.hear(noise(40), silence(1_500));
    assert.ok(ann.all('audio').some(({ isLowered }) => isLowered));
    await phone.hear(silence(300), spoken('stop that please now'), silence(1_500));
    assert.equal(phone.last('transcript').text, 'stop that please now');
  });

  it('speaks up again where whoever made it lower their voice leaves', async () => {
    const rooms = await TestRooms.start(script('One two three four five six seven eight nine ten.'));
    const ann = rooms.enter(handsFree);
    const phone = rooms.enter({ ...handsFree, detection: null }, ann.talk.sessionId);
    ann.talk.configure(handsFree);
    await ann.hear(silence(300), spoken('count to ten'), silence(1_400));
    await ann.hear(noise(120));
    assert.equal(ann.last('audio').isLowered, true);
    ann.connection.leave(false);
    await rooms.pace.pass(500);
    assert.equal(phone.last('audio').isLowered, false);
  });

  it('says nothing into the speech of the user because somebody else comes in', async () => {
    const rooms = await TestRooms.start(async function* () {
      await new Promise<void>((resolve) => void rooms.pace.after(1_500, resolve));
      yield text('One two three.');
      yield finish;
    });
    const ann = rooms.enter(handsFree);
    await ann.hear(silence(300), spoken('count'), silence(900));
    await ann.hear(noise(2_000));
    assert.equal(ann.audioMs, 0);
    rooms.enter(handsFree, ann.talk.sessionId);
    await ann.hear(noise(400));
    assert.equal(ann.audioMs, 0);
  });

  it('tells whoever comes in what it does, nothing too', async () => {
    const rooms = await TestRooms.start(script());
    assert.deepEqual(rooms.enter(handsFree).told, [{ type: 'state', state: 'idle' }]);
  });

  it('ends in the middle of a word that a tool listens to, and the tool hears nothing', async () => {
    const rooms = await TestRooms.start(script());
    const ann = rooms.enter(handsFree);
    const { signal } = new AbortController();
    const heard = rooms.rooms.listen('ann', { durationMs: 45_000, signal });
    await ann.hear(silence(300), spoken('half a'));
    ann.connection.leave(true);
    assert.equal(await heard, '');
    assert.deepEqual(rooms.failures, []);
  });

  it('takes the end of what a microphone sends for the end of what is said', async () => {
    const rooms = await TestRooms.start(script('Yes.'));
    const ann = rooms.enter(handsFree);
    await ann.hear(silence(300), spoken('are you there'));
    await rooms.pace.pass(3_000);
    assert.equal(ann.words, 'Yes.');
  });

  it('says what others want said, after what is being said', async () => {
    const rooms = await TestRooms.start(script('One two three.'));
    const ann = rooms.enter(pushToTalk);
    await ann.say('count', 100);
    assert.equal(rooms.rooms.speak('ann', { text: 'The tea is ready.' }), ann.talk.sessionId);
    await rooms.pace.pass(3_000);
    assert.deepEqual(rooms.mouth.said, ['One two three.', 'The tea is ready.']);
    assert.throws(
      () => rooms.rooms.speak('ben', { text: 'No' }),
      (error) => isHarkError(error, 'VOICE_SESSION_NONE'),
    );
  });

  it('is listened to by a tool, and nothing answers that', async () => {
    const model = script();
    const rooms = await TestRooms.start(model);
    const ann = rooms.enter(handsFree);
    const { signal } = new AbortController();
    const heard = rooms.rooms.listen('ann', { durationMs: 5_000, signal });
    await assert.rejects(rooms.rooms.listen('ann', { durationMs: 5_000, signal }), (error) =>
      isHarkError(error, 'VOICE_SESSION_BUSY'),
    );
    await ann.hear(silence(300), spoken('half a pound'), silence(1_000));
    assert.equal(await heard, 'half a pound');
    const nothing = rooms.rooms.listen('ann', { durationMs: 1_000, signal });
    await rooms.pace.pass(1_100);
    assert.equal(await nothing, '');
    assert.equal(model.asked.length, 0);
  });

  it('goes on as text where a sentence cannot be spoken, and as speech with the next', async () => {
    const rooms = await TestRooms.start(script('One two. Three four. Five six.'));
    rooms.mouth.failing = 'Three';
    const ann = rooms.enter(pushToTalk);
    await ann.say('count', 3_000);
    assert.equal(ann.words, 'One two. Three four. Five six.');
    assert.equal(ann.audioMs, 800);
    assert.equal((await heardIn(rooms, ann.talk.sessionId))[1], 'assistant: One two. Three four. Five six.');
  });

  it('says that it cannot answer where no model does', async () => {
    const rooms = await TestRooms.start(async function* () {
      yield* [];
      throw new HarkError('MODEL_UNAVAILABLE');
    });
    const ann = rooms.enter({ ...pushToTalk, language: 'de' });
    await ann.say('hallo', 4_000);
    assert.deepEqual(rooms.mouth.said, ['Das kann ich gerade leider nicht beantworten.']);
    const { status, reason } = ann.last('response_done').response;
    assert.deepEqual([status, reason], ['failed', 'MODEL_UNAVAILABLE']);
  });

  it('keeps what both say, where the user wants that', async () => {
    const rooms = await TestRooms.start(script('One two.'));
    rooms.isKeeping = true;
    const ann = rooms.enter(pushToTalk);
    await rooms.pace.pass(1);
    await ann.say('count to two', 2_000);
    assert.deepEqual(
      rooms.kept.map(({ role, rate, pieces }) => [
        role,
        rate,
        pieces.reduce((sum, one) => sum + one.length, 0),
      ]),
      [
        ['user', 16_000, 14_400],
        ['assistant', 16_000, 6_400],
      ],
    );
  });

  it('says a word while tools work, where that is wanted', async () => {
    const rooms = await TestRooms.start(script([call('a')], 'It is five.'));
    rooms.isFilling = true;
    const ann = rooms.enter(pushToTalk);
    await ann.say('what time is it', 3_000);
    assert.deepEqual(rooms.mouth.said, ['One moment.', 'It is five.']);
    assert.equal((await heardIn(rooms, ann.talk.sessionId))[1], 'assistant: It is five.');
  });
});

function isUnknown(error: unknown): boolean {
  return isHarkError(error, 'SESSION_UNKNOWN');
}
