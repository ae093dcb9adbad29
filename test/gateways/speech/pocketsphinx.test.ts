import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { afterAll, describe, it } from 'vitest';
import { KeptRecognition } from '../../../src/gateways/speech/hearing.ts';
import { findPocketsphinx, Pocketsphinx } from '../../../src/gateways/speech/pocketsphinx.ts';
import { SpeechEngines } from '../../../src/gateways/speech/speechEngines.ts';
import { skippedFor } from '../../support/skippedFor.ts';
import { isRunning } from './isRunning.ts';

/** Recorded by a person: "go forward ten meters". */
const DATA = '/usr/share/pocketsphinx/test/data';
const program = await findPocketsphinx();
const recorded = await readFile(`${DATA}/goforward.raw`).catch(() => undefined);
const needsIt = skippedFor(program && recorded ? false : 'pocketsphinx and pocketsphinx-testdata');

describe('pocketsphinx', { ...needsIt }, () => {
  const started: Pocketsphinx[] = [];
  afterAll(() => Promise.all(started.map((engine) => engine.stop())));

  function engine(grammar?: string): Pocketsphinx {
    assert(program !== undefined);
    const made = new Pocketsphinx({ program, grammar });
    started.push(made);
    return made;
  }

  function samples(): Int16Array {
    assert(recorded);
    return new Int16Array(Uint8Array.from(recorded).buffer);
  }

  function say(recognition: KeptRecognition, said: Int16Array): void {
    for (let at = 0; at < said.length; at += 320) recognition.hear(said.subarray(at, at + 320));
  }

  it('understands what a person said, word for word with their times', async () => {
    const hearing = engine(`${DATA}/goforward.gram`);
    const recognition = new KeptRecognition(async () => [hearing], {});
    say(recognition, samples());
    const { text, words } = await recognition.end();
    assert.equal(text, 'go forward ten meters');
    assert.ok(words.every(({ start, end }) => start < end && end < 2.8));
    assert.ok((words[0]?.start ?? 0) > 0.3);
  });

  it('understands anything without a grammar, and tells of it while it hears', async () => {
    const hearing = engine();
    const told: string[] = [];
    const recognition = new KeptRecognition(async () => [hearing], { onWords: (text) => told.push(text) });
    say(recognition, samples());
    say(recognition, new Int16Array(16_000));
    assert.equal((await recognition.end()).text, 'go forward ten meters');
    assert.equal(told.at(-1), 'go forward ten meters');
  });

  it('has no words for silence', async () => {
    const hearing = engine();
    const recognition = new KeptRecognition(async () => [hearing], {});
    say(recognition, new Int16Array(16_000));
    assert.deepEqual(await recognition.end(), { text: '', words: [] });
  });

  it('is there for all who ask while it is looked for', async () => {
    const engines = new SpeechEngines({
      installed: async () => [],
      clients: { clientFor: async () => undefined },
      wanted: () => ({ stt: 'auto', tts: 'auto', voice: 'auto', wakePhrases: '' }),
    });
    const asked = await Promise.all([engines.hearing(), engines.hearing()]);
    const ids = asked.map((found) => found.map(({ id }) => id));
    assert.deepEqual(ids, [['pocketsphinx'], ['pocketsphinx']]);
    await engines.stop();
  });

  it('killed in mid-sentence, is begun anew with all that was said', async () => {
    const hearing = engine(`${DATA}/goforward.gram`);
    const recognition = new KeptRecognition(async () => [hearing], {});
    const said = samples();
    say(recognition, said.subarray(0, 20_000));
    while (hearing.pids.length === 0) await new Promise((resolve) => setImmediate(resolve));
    for (const pid of hearing.pids) process.kill(pid, 'SIGKILL');
    say(recognition, said.subarray(20_000));
    assert.equal((await recognition.end()).text, 'go forward ten meters');
  });

  it('leaves no process behind', async () => {
    const hearing = engine();
    new KeptRecognition(async () => [hearing], {}).hear(samples());
    while (hearing.pids.length < 2) await new Promise((resolve) => setImmediate(resolve));
    const { pids } = hearing;
    await hearing.stop();
    // What was killed may still be taking its memory down.
    for (const pid of pids) while (isRunning(pid)) await new Promise((resolve) => setImmediate(resolve));
  });
});
