import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, test } from 'vitest';
import { calls, fails, says, thinks, waits } from '../../../src/demo/model/script.ts';
import { ScriptedModels } from '../../../src/demo/model/scriptedModels.ts';
import { EventStream } from '../../../src/interfaces/cli/eventStream.ts';
import { RestClient } from '../../../src/interfaces/cli/restClient.ts';
import { slotNames } from '../../../src/vocabulary.ts';
import { CuttableProxy } from '../../support/cuttableProxy.ts';
import { providersAt } from '../../support/models/environment.ts';
import { EventReader, InProcessService, TEST_NOW } from '../../support/service.ts';
import { FakeService } from './fakeService.ts';
import { hark, outcomeOf, startHark } from './hark.ts';

const LIMITS = { API_RATE_LIMIT: '100000', CHAT_RATE_LIMIT: '100000' };
const SMALLEST_PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1').toString('base64');
const STEERING = 'a\u001b[2Jb\u009b31m\u202ec\r\u0007';

describe('talking from the command line', () => {
  let models: ScriptedModels;
  let service: InProcessService;
  beforeAll(async () => {
    models = await ScriptedModels.start();
    service = await InProcessService.start({ ...LIMITS, ...providersAt(models) });
    // Those that nobody names are configured by themselves, and work in the background would take what is scripted.
    const none = Object.fromEntries(slotNames.map((slot) => [slot, null]));
    const body = { slots: { ...none, chat: { provider: 'cloud-a', model: 'claude-opus-4-6' } } };
    assert.equal((await service.ask('PUT', '/api/slots', { body })).status, 200);
  });
  afterEach(() => models.reset());
  afterAll(async () => {
    await service.stop();
    await models.stop();
  });

  const run = (args: readonly string[], input?: string) => hark(args, { HARK_URL: service.url }, input);
  const turnsOf = (request: number) => models.chats[request]?.turns.slice(1).map(({ text }) => text);

  describe('ask', () => {
    test('prints the reply, and nothing else', async () => {
      models.script([says(thinks('Hmm.'), 'Let me look.', calls('look_around')), says('Good ', 'evening.')]);
      const { code, stdout, stderr } = await run(['ask', 'Good', 'evening']);
      assert.deepEqual([code, stdout, stderr], [0, 'Let me look.\n\nGood evening.\n', '']);
      assert.deepEqual(turnsOf(0), ['Good evening']);
    });

    test('gives JSON as the service does', async () => {
      models.script(says('Good ', 'evening.'));
      const { stdout } = await run(['ask', 'Well?', '--json', '--session', 'as-json']);
      const { text, sessionId, platform, metadata } = JSON.parse(stdout);
      assert.deepEqual([text, sessionId, platform], ['Good evening.', 'as-json', 'cli']);
      assert.equal(metadata.stepCount, 1);
    });

    test('reads what to say', async () => {
      models.script(says('Yes.'));
      const { code, stdout } = await run(['ask', '-'], 'One\nTwo\n');
      assert.deepEqual([code, stdout], [0, 'Yes.\n']);
      assert.deepEqual(turnsOf(0), ['One\nTwo\n']);
    });

    test('goes on with a session, each user with their own', async () => {
      models.script(says('Yes.'));
      const inIt = ['--session', 'evening'];
      await run(['ask', 'One', ...inIt]);
      await run(['ask', 'Two', ...inIt]);
      await run(['ask', 'Three', ...inIt, '--user', 'anna']);
      assert.deepEqual(turnsOf(1), ['One', 'Yes.', 'Two']);
      assert.deepEqual(turnsOf(2), ['Three']);
    });

    test('puts a question in the place of another', async () => {
      models.script(says('Yes.'));
      const inIt = ['--session', 'replaced'];
      await run(['ask', 'One', ...inIt]);
      const second = await run(['ask', 'Two', ...inIt, '--json']);
      const { turnId } = JSON.parse(second.stdout).metadata;
      await run(['ask', 'Three', ...inIt, '--replaces', turnId]);
      assert.deepEqual(turnsOf(2), ['One', 'Yes.', 'Three']);
      const alone = await run(['ask', 'Four', '--replaces', turnId]);
      assert.deepEqual([alone.code, alone.stderr], [64, 'hark: ask: --replaces needs --session\n']);
    });

    test('lets no model steer the terminal', async () => {
      models.script(says(STEERING, '\nd\te'));
      assert.equal((await run(['ask', '?'])).stdout, 'a[2Jb31mc\nd\te\n');
    });

    test('says in one line why there is no reply', async () => {
      models.script(fails('wrong-key'));
      const { code, stdout, stderr } = await run(['ask', '?']);
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(stderr, /^hark: MODEL_UNAVAILABLE: .+\n$/);
      const long = await run(['ask', '-'], 'x'.repeat(10_001));
      assert.equal(long.code, 1);
      assert.match(long.stderr, /^hark: 400 Validation failed; text .+\n$/);
      const nobody = await hark(['ask', '?'], { HARK_URL: 'http://127.0.0.1:9' });
      assert.equal(nobody.code, 1);
      assert.match(nobody.stderr, /^hark: Cannot reach .+\n$/);
    });

    test('takes a broken connection up again, with nothing missing and nothing twice', async () => {
      await using proxy = await CuttableProxy.before(service.port);
      const { promise: rest, resolve: goOn } = Promise.withResolvers<void>();
      models.script(says('Once ', waits(rest), 'upon a time.'));
      const child = startHark(['ask', 'Tell', '--url', `http://${proxy.address}`]);
      const heard = heardFrom(child);
      await heard.hears('Once');
      const lost = once(child.stderr ?? assert.fail('No pipe'), 'data');
      proxy.cut();
      assert.match(String((await lost)[0]), /^hark: The connection was lost; trying again\n$/);
      goOn();
      const [code] = await once(child, 'close');
      assert.deepEqual([code, heard.all], [0, 'Once upon a time.\n']);
      assert.equal(models.chats.length, 1);
    });

    test('gives up on a service that stays away for too long', async () => {
      await using fake = await FakeService.start((_request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).end();
      });
      const client = new RestClient({ url: fake.url, apiKey: undefined });
      const stream = new EventStream({
        connect: (headers, signal) => client.request('stream', { headers }, signal),
        onLost: () => undefined,
        timeoutMs: 0,
      });
      await assert.rejects(Array.fromAsync(stream.messages()), /The service ended the stream/);
    });

    test('cancels the turn when it is interrupted', async () => {
      const { promise: never, resolve } = Promise.withResolvers<void>();
      models.script(says('And so on', waits(never)));
      const child = startHark(['ask', 'Go on', '--url', service.url]);
      child.stdout?.once('data', () => child.kill('SIGINT'));
      const { code, stdout, stderr } = await outcomeOf(child);
      assert.deepEqual([code, stdout, stderr], [130, 'And so on\n', 'hark: Cancelled\n']);
      assert.equal(await models.chats[0]?.ended, true);
      resolve();
    });
  });

  describe('chat', () => {
    test('takes a message a line, and prints the replies alone over a pipe', async () => {
      models.script([
        says(thinks('Hmm.'), 'Let me look.', calls('look_around', { at: `x${STEERING}` })),
        says(thinks('Aha.'), 'It is dark.'),
        says('Good night.'),
      ]);
      const { code, stdout, stderr } = await run(['chat', '--session', 'night'], 'Hello\n\nGood night');
      assert.deepEqual([code, stderr], [0, '']);
      assert.equal(stdout, 'Let me look.\n\nIt is dark.\nGood night.\n');
      assert.equal(turnsOf(2)?.at(-1), 'Good night');
      assert(turnsOf(2)?.includes('Hello'));
    });

    test('begins anew, shows what was said, and ends when it is told to', async () => {
      models.script(says('Yes.'));
      const typed = ['One', '/NEW', 'Two /etc/hosts', '/history', '/nonsense', '/help', '/exit', 'Three'];
      const { code, stdout } = await run(['chat'], typed.join('\n'));
      assert.equal(code, 0);
      assert.match(
        stdout,
        /^Yes\.\nsession cli-\S+ ended; .+\nsession cli-\S+\nYes\.\nyou: Two \/etc\/hosts\nhark: Yes\.\n/,
      );
      assert.match(stdout, /Unknown command \/nonsense.*\n\/new +end/);
      assert.deepEqual([turnsOf(0), turnsOf(1)], [['One'], ['Two /etc/hosts']]);
      assert.equal(models.chats.length, 2);
    });

    test('says the last message again, or otherwise, in its place', async () => {
      models.script(says('Yes.'));
      const typed = ['/again', 'One', 'Two', '/again', '/edit', 'Three'];
      const { code, stdout } = await run(['chat'], typed.join('\n'));
      assert.equal(code, 0);
      assert.match(
        stdout,
        /^There is no message here .+\nYes\.\nYes\.\nYes\.\nThe next line .+: Two\nYes\.\n/,
      );
      assert.deepEqual(turnsOf(2), ['One', 'Yes.', 'Two']);
      assert.deepEqual(turnsOf(3), ['One', 'Yes.', 'Three']);
    });

    test('says what was to be seen again too', async () => {
      models.script(says('Yes.'));
      const files = [{ content: SMALLEST_PNG, mimeType: 'image/png' }];
      const body = { text: 'What is this?', sessionId: 'seen', files };
      assert.equal((await service.ask('POST', '/api/chat', { body })).status, 200);
      const typed = '/again\n/edit\nAnd what is it worth?';
      const { code, stdout } = await run(['chat', '--session', 'seen'], typed);
      assert.equal(code, 0);
      assert.match(stdout, /^Yes\.\nThe next line .+: What is this\?\nYes\.\n/);
      assert.deepEqual(
        models.chats.map(({ turns }) => turns.flatMap(({ images }) => images.length)),
        [
          [0, 1],
          [0, 1],
          [0, 1],
        ],
      );
    });

    test('ends its session on leaving, so that it is remembered; one that was named goes on', async () => {
      models.script(says('I see.'));
      const reader = await EventReader.open(`${service.url}/api/events/stream?topics=sessionEnded`, {
        'x-user-id': 'leaver',
      });
      const who = ['chat', '--user', 'leaver'];
      const named = await run([...who, '--session', 'kept'], 'My dog is called Rex.\n');
      const { code, stdout } = await run(who, 'My cat is called Tom.\n');
      assert.deepEqual([named.code, code, stdout], [0, 0, 'I see.\n']);
      for (;;) {
        const message = await reader.next();
        if (!message?.data) continue;
        assert.match(message.data, /"sessionId":"cli-/);
        break;
      }
      reader.close();
    });

    test('cancels the reply that runs, and goes on', async () => {
      const { promise: never, resolve } = Promise.withResolvers<void>();
      models.script([says('And so on', waits(never)), says('Yes.')]);
      const child = startHark(['chat', '--url', service.url], {}, 'pipe');
      const heard = heardFrom(child);
      child.stdin?.write('Go on\n');
      await heard.hears('And so on');
      child.stdin?.end('/cancel\nStill there?\n');
      const [code] = await once(child, 'close');
      assert.deepEqual([code, heard.all], [0, 'And so on\ncancelled\nYes.\n']);
      assert.equal(await models.chats[0]?.ended, true);
      resolve();
    });

    test('tells of a reminder while nobody types', async () => {
      models.script(says('Yes.'));
      const child = startHark(['chat', '--json', '--session', 'kitchen', '--url', service.url], {}, 'pipe');
      const heard = heardFrom(child);
      child.stdin?.write('Are you there?\n');
      await heard.hears('"type":"done"');
      const due = { scheduleType: 'once', atTimestamp: TEST_NOW + 1_000, sessionId: 'kitchen' };
      const body = { name: 'eggs', text: 'Take the eggs off', ...due };
      assert.equal((await service.ask('POST', '/api/scheduler/tasks', { body })).status, 201);
      const elsewhere = { ...body, text: 'Not for the kitchen', sessionId: 'garden' };
      assert.equal((await service.ask('POST', '/api/scheduler/tasks', { body: elsewhere })).status, 201);
      await service.advance(1_000);
      await heard.hears('"type":"reminder"');
      child.stdin?.end();
      assert.equal((await once(child, 'close'))[0], 0);
      assert.match(heard.all, /^\{"type":"reminder",.*"text":"Take the eggs off"/m);
      assert.doesNotMatch(heard.all, /Not for the kitchen/);
    });

    test('stops at what fails, when nobody sits there', async () => {
      models.script([says('Yes.')]);
      models.script(fails('wrong-key'));
      const { code, stdout, stderr } = await run(['chat'], 'One\nTwo\nThree\n');
      assert.deepEqual([code, stdout], [1, 'Yes.\n']);
      assert.match(stderr, /^hark: MODEL_UNAVAILABLE: .+\n$/);
      const nobody = await hark(['chat'], { HARK_URL: 'http://127.0.0.1:9' }, 'One\n');
      assert.deepEqual([nobody.code, nobody.stdout], [1, '']);
    });

    test('gives a line of JSON a signal', async () => {
      models.script(says('Yes.'));
      const { stdout } = await run(['chat', '--json'], 'One\n');
      const signals = stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).type);
      assert.deepEqual(signals, ['step', 'content', 'done']);
    });
  });
});

/** What a process prints, while it does. */
function heardFrom({ stdout }: ChildProcess) {
  if (!stdout) throw new Error('No pipe');
  const heard = {
    all: '',
    async hears(text: string) {
      while (!heard.all.includes(text)) await once(stdout, 'data');
    },
  };
  stdout.setEncoding('utf8').on('data', (text: string) => {
    heard.all += text;
  });
  return heard;
}
