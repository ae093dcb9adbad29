import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { Mouth } from '../../../src/application/voice/mouth.ts';
import { TestMouth, VirtualPace } from './room.ts';

/** Words of 200 ms, from now on. */
async function mouthSaying(text: string) {
  const pace = new VirtualPace();
  const told: number[] = [];
  const mouth = new Mouth({
    ...{ speech: new TestMouth(), pace, rate: 16_000 },
    onAudio: () => undefined,
    onWords: () => undefined,
    onHeard: (characters) => told.push(characters),
    onDone: () => told.push(text.length),
    onFailure: (error) => assert.fail(String(error)),
  });
  mouth.say(text);
  mouth.finish();
  await pace.pass(0);
  return { mouth, pace, told, heard: () => text.slice(0, mouth.heardCharacters) };
}

describe('what was lowered for an interruption that was none', () => {
  it('counts as heard with the first word behind it that was heard as well', async () => {
    const { mouth, pace, heard } = await mouthSaying('One two three four five six seven.');
    await pace.pass(450);
    mouth.lower();
    await pace.pass(400);
    assert.equal(heard(), 'One two');
    mouth.raise();
    assert.equal(heard(), 'One two');
    await pace.pass(140);
    assert.equal(heard(), 'One two');
    await pace.pass(20);
    assert.equal(heard(), 'One two three four five');
  });

  it('does not count where the reply is cut in it, and does where it was whole before', async () => {
    const { mouth, pace, heard } = await mouthSaying('One two three four five six seven.');
    await pace.pass(450);
    mouth.lower();
    await pace.pass(200);
    mouth.raise();
    await pace.pass(1_000);
    assert.equal(mouth.heardBefore(700), 'One two'.length);
    assert.equal(mouth.heardBefore(1_000), 'One two three four five'.length);
    mouth.lower();
    await pace.pass(60);
    mouth.raise();
    mouth.stop();
    assert.equal(heard(), 'One two three four five six seven.');
  });

  it('hides what was lowered before it, where no word was heard between them', async () => {
    const { mouth, pace, heard } = await mouthSaying('One two three four five six seven.');
    await pace.pass(450);
    mouth.lower();
    await pace.pass(200);
    mouth.raise();
    await pace.pass(20);
    mouth.lower();
    await pace.pass(400);
    mouth.raise();
    await pace.pass(20);
    assert.equal(heard(), 'One two');
  });

  it('is no sentence that was heard to its end, until there is more', async () => {
    const { mouth, pace, told } = await mouthSaying(
      'One two three four five six. Seven eight nine ten eleven.',
    );
    await pace.pass(1_050);
    mouth.lower();
    await pace.pass(250);
    mouth.raise();
    await pace.pass(80);
    assert.deepEqual(told, []);
    await pace.pass(120);
    assert.deepEqual(told, ['One two three four five six. '.length]);
  });
});
