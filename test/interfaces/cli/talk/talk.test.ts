import assert from 'node:assert/strict';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'vitest';
import { readWave, writeWave } from '../../../../src/gateways/speech/wave.ts';
import { skippedFor } from '../../../support/skippedFor.ts';
import { Terminal, terminalIsMissing } from '../../../support/terminal.ts';
import { VoiceServer } from '../../../support/voiceServer.ts';
import { bin, hark, outcomeOf, startHark, TemporaryFolder } from '../hark.ts';

const transcribed = 'conversation.item.input_audio_transcription.completed';
const tone = (samples: number) => Int16Array.from({ length: samples }, (_, index) => 1_000 + (index % 50));

describe('hark talk', () => {
  let server: VoiceServer;
  let folder: TemporaryFolder;
  beforeEach(async () => {
    server = await VoiceServer.start();
    folder = new TemporaryFolder();
  });
  afterEach(async () => {
    await server.stop();
    folder[Symbol.dispose]();
  });

  const file = (name: string) => join(folder.path, name);
  const wave = (name: string, samples: Int16Array, rate: number) => {
    writeFileSync(file(name), writeWave(samples, rate));
    return file(name);
  };
  /** Programs of these names that do this, first in the `PATH`. */
  const programs = (scripts: Readonly<Record<string, string>>) => {
    for (const [name, script] of Object.entries(scripts)) {
      writeFileSync(file(name), `#!/bin/sh\n${script}\n`);
      chmodSync(file(name), 0o755);
    }
    return { PATH: [folder.path, process.env.PATH].join(delimiter), HARK_URL: server.url };
  };
  const start = (args: readonly string[], environment: Readonly<Record<string, string>> = {}) => {
    const child = startHark(['talk', ...args], { HARK_URL: server.url, ...environment }, 'pipe');
    return { child, outcome: outcomeOf(child) };
  };

  test('says what is in a file, of whatever rate, and writes the reply into another', async () => {
    const question = wave('question.wav', tone(48_000), 48_000);
    const { outcome } = start(['--input', question, '--output', file('answer.wav')]);
    const client = await server.client();
    assert.deepEqual(client.events, [
      { type: 'session.update', session: { type: 'realtime', audio: { input: { turn_detection: null } } } },
    ]);
    await client.until(({ frames }) => frames.some(({ flags }) => (flags & 2) !== 0));
    const { frames } = client;
    assert.deepEqual(
      frames.map(({ flags }) => flags),
      [1, ...Array<number>(frames.length - 2).fill(0), 2],
    );
    assert.deepEqual(
      frames.map(({ sequence }) => sequence),
      frames.map((_, index) => index),
    );
    assert.deepEqual(
      frames.map(({ offset }) => offset),
      frames.map((_, index) => index * 1_600),
    );
    const heard = frames.reduce((sum, { samples }) => sum + samples.length, 0);
    assert.ok(Math.abs(heard - 16_000) <= 32, `${heard}`);
    client.tell(transcribed, { transcript: 'what time is it' });
    client.reply('It is noon.', tone(8_000));
    await client.until(({ closedWith }) => closedWith !== undefined);
    assert.deepEqual(await outcome, {
      code: 0,
      stdout: 'you: what time is it\nhark: It is noon.\n',
      stderr: '',
    });
    assert.equal(client.closedWith, 1_000);
    assert.deepEqual(client.events.at(-1), { type: 'hark.playback', responseId: 'r1', playedMs: 500 });
    assert.deepEqual(readWave(readFileSync(file('answer.wav'))), { rate: 16_000, samples: tone(8_000) });
  });

  test('says several files one after the other, and tells all as lines of JSON', async () => {
    const questions = ['one.wav', 'two.wav'].map((name) => wave(name, tone(1_600), 16_000));
    const { outcome } = start([
      '--json',
      '--session',
      'voice-1',
      '--input',
      ...questions,
      '--output',
      file('out.wav'),
    ]);
    const client = await server.client();
    assert.equal(client.request.url, '/ws/audio?session=voice-1');
    client.tell('hark.state', { state: 'listening' });
    for (const [index, text] of ['one', 'two'].entries()) {
      await client.until(({ frames }) => frames.filter(({ flags }) => (flags & 2) !== 0).length > index);
      client.tell(transcribed, { transcript: text });
      client.reply(`You said ${text}.`, tone(160));
    }
    const { code, stdout } = await outcome;
    const told = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      [code, told],
      [
        0,
        [
          { type: 'session', sessionId: 'voice-1' },
          { type: 'state', state: 'listening' },
          { type: 'transcript', text: 'one' },
          { type: 'reply', text: 'You said one.' },
          { type: 'transcript', text: 'two' },
          { type: 'reply', text: 'You said two.' },
          { type: 'ended', sessionId: 'voice-1' },
        ],
      ],
    );
  });

  test('shows its key and its user in headers', async () => {
    const question = wave('question.wav', tone(160), 16_000);
    const args = ['--user', 'ann', '--input', question, '--output', file('out.wav'), '--voice', 'slt'];
    const { outcome } = start(args, { HARK_API_KEY: 'the-key' });
    const client = await server.client();
    const { authorization, 'x-user-id': user } = client.request.headers;
    assert.deepEqual([authorization, user], ['Bearer the-key', 'ann']);
    assert.match(JSON.stringify(client.events), /"output":\{"voice":"slt"\}/);
    client.reply('Well.', tone(160));
    assert.equal((await outcome).code, 0);
  });

  for (const [what, tell, said] of [
    [
      'there is no reply',
      {
        type: 'response.done',
        response: { id: 'r1', status: 'failed', status_details: { error: { code: 'MODEL_UNAVAILABLE' } } },
      },
      /^hark: There is no reply: MODEL_UNAVAILABLE\n$/,
    ],
    ['no words are understood', { type: transcribed, transcript: ' ' }, /^hark: No words were understood\n$/],
    [
      'nothing there understands speech',
      {
        type: 'conversation.item.input_audio_transcription.failed',
        error: { code: 'STT_UNAVAILABLE', message: 'STT provider unavailable' },
      },
      /^hark: STT_UNAVAILABLE: STT provider unavailable: see what there is with hark models list --type stt\n$/,
    ],
  ] as const)
    test(`ends with 1 where ${what}`, async () => {
      const { outcome } = start([
        '--input',
        wave('question.wav', tone(160), 16_000),
        '--output',
        file('out.wav'),
      ]);
      const client = await server.client();
      await client.until(({ frames }) => frames.length > 0);
      client.begin('r1');
      const { type, ...data } = tell;
      client.tell(type, data);
      const { code, stderr } = await outcome;
      assert.equal(code, 1);
      assert.match(stderr, said);
    });

  test('ends with 1 where the connection is lost', async () => {
    const { outcome } = start([
      '--input',
      wave('question.wav', tone(160), 16_000),
      '--output',
      file('out.wav'),
    ]);
    const client = await server.client();
    client.cut();
    const { code, stderr } = await outcome;
    assert.deepEqual([code, stderr], [1, 'hark: The connection was lost (1006)\n']);
  });

  test('talks by the programs of the machine, and does not hear itself', async () => {
    const environment = programs({
      // It goes on until it is ended, as a microphone does.
      arecord: `while :; do head -c 3200 "${file('loud.raw')}"; sleep 0.02; done`,
      aplay: `cat >> "${file('played.raw')}"`,
    });
    writeFileSync(file('loud.raw'), Buffer.from(tone(1_600).buffer));
    const { child, outcome } = start([], environment);
    const client = await server.client();
    assert.match(JSON.stringify(client.events), /"turn_detection":\{"type":"semantic_vad"\}/);
    await client.until(({ frames }) => frames.some(({ samples }) => samples[0] !== 0));
    client.begin('r1');
    client.speak(tone(1_600));
    const isSilence = (samples: Int16Array) => samples.every((sample) => sample === 0);
    await client.until(({ frames }) => isSilence(frames.at(-1)?.samples ?? tone(1)));
    client.tell('response.output_audio_transcript.delta', { delta: 'Hello.' });
    client.tell('response.done', { response: { id: 'r1', status: 'completed' } });
    await client.until(({ events }) => events.some(({ type }) => type === 'hark.playback'));
    // And hears again what the user says, once that is over.
    const after = client.frames.length;
    await client.until(({ frames }) => frames.slice(after).some(({ samples }) => !isSilence(samples)));
    child.kill('SIGINT');
    const { code, stdout, stderr } = await outcome;
    assert.deepEqual([code, stdout, stderr], [130, 'hark: Hello.\n', 'hark: interrupted\n']);
    assert.equal(client.closedWith, 1_000);
    assert.equal(readFileSync(file('played.raw')).length, 3_200);
  });

  test('with headphones it hears also while it speaks, and takes back what was not heard', async () => {
    const environment = programs({
      arecord: `while :; do head -c 3200 "${file('loud.raw')}"; sleep 0.02; done`,
      aplay: 'exec cat > /dev/null',
    });
    writeFileSync(file('loud.raw'), Buffer.from(tone(1_600).buffer));
    const { child, outcome } = start(['--headphones', '--json'], environment);
    const client = await server.client();
    client.begin('r1');
    client.speak(tone(160_000));
    client.tell('response.output_audio_transcript.delta', { delta: 'A long story' });
    await client.until(({ events }) => events.filter(({ type }) => type === 'hark.playback').length > 1);
    assert.ok(client.frames.every(({ samples }) => samples[0] !== 0));
    client.tell('response.done', { response: { id: 'r1', status: 'cancelled' } });
    const reported = client.events.length;
    await client.until(({ events }) => events.length > reported);
    const playedMs = client.events.at(-1)?.playedMs;
    assert.ok(typeof playedMs === 'number' && playedMs > 0 && playedMs < 5_000, `${playedMs}`);
    child.kill('SIGINT');
    assert.match((await outcome).stdout, /\{"type":"reply","text":"A long story …","interrupted":true\}/);
  });

  test('says why the microphone stopped', async () => {
    const environment = programs({
      arecord: 'echo "no soundcards found" >&2; exit 1',
      aplay: 'cat > /dev/null',
    });
    const { outcome } = start([], environment);
    const { code, stderr } = await outcome;
    assert.deepEqual([code, stderr], [1, 'hark: arecord stopped recording: no soundcards found\n']);
  });

  test('says what is wrong before it asks anybody', async () => {
    const nobody = { HARK_URL: 'http://127.0.0.1:9' };
    const noSound = await hark(['talk', '--input', file('none.wav')], nobody);
    assert.deepEqual(
      [noSound.code, noSound.stderr],
      [1, 'hark: --input: the file cannot be read (ENOENT)\n'],
    );
    writeFileSync(file('text.wav'), 'not sound');
    assert.match((await hark(['talk', '--input', file('text.wav')], nobody)).stderr, /not a WAV file/);
    const both = await hark(['talk', '--push', '--headphones'], nobody);
    assert.deepEqual([both.code, /give one of them/.test(both.stderr)], [64, true]);
    assert.equal((await hark(['talk', '--push'], nobody)).code, 64);
    const noPrograms = startHark(['talk'], { ...nobody, PATH: folder.path });
    const { code, stderr } = await outcomeOf(noPrograms);
    assert.equal(code, 1);
    assert.match(stderr, /There is no program to record with/);
    const question = wave('question.wav', tone(160), 16_000);
    const away = await hark(['talk', '--input', question, '--output', file('out.wav')], nobody);
    assert.match(away.stderr, /^hark: Cannot reach http:\/\/127\.0\.0\.1:9 .*hark start\n$/);
  });

  test('is led by keys on a terminal', skippedFor(terminalIsMissing), async () => {
    const environment = programs({
      arecord: `while :; do head -c 3200 "${file('loud.raw')}"; sleep 0.02; done`,
      aplay: 'exec cat > /dev/null',
    });
    writeFileSync(file('loud.raw'), Buffer.from(tone(1_600).buffer));
    const terminal = new Terminal([process.execPath, bin, 'talk', '--push'], {
      ...environment,
      HOME: folder.path,
    });
    const press = (key: string) => terminal.child.stdin?.write(key);
    const client = await server.client();
    assert.match(JSON.stringify(client.events), /"turn_detection":null/);
    await terminal.sees(/press space/);
    assert.deepEqual(client.frames, []);
    press(' ');
    await client.until(({ frames }) => frames.length > 2);
    press(' ');
    await client.until(({ frames }) => ((frames.at(-1)?.flags ?? 0) & 2) !== 0);
    client.tell(transcribed, { transcript: 'tell me a story' });
    client.begin('r1');
    client.speak(tone(160_000));
    client.tell('response.output_audio_transcript.delta', { delta: 'Once upon a time.', item_id: 'a' });
    client.tell('response.output_audio_transcript.delta', { delta: 'There was a cat.', item_id: 'b' });
    await terminal.sees(/you: tell me a story/);
    await client.until(({ events }) => events.some(({ type }) => type === 'hark.playback'));
    press(' ');
    await client.until(({ events }) => events.some(({ type }) => type === 'response.cancel'));
    client.tell('response.done', { response: { id: 'r1', status: 'cancelled' } });
    await terminal.sees(/hark: Once upon a time\. There was a cat\. …/);
    const said = client.frames.length;
    press('m');
    await terminal.sees(/muted/);
    press('q');
    assert.equal(await terminal.ends(), 0);
    assert.equal(client.closedWith, 1_000);
    assert.equal(client.frames.length, said);
  });
});
