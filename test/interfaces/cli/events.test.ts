import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { describe, test } from 'vitest';
import { heldPort } from '../../support/heldPort.ts';
import { envelope, FakeService, sendJson } from './fakeService.ts';
import { bin, hark, startHark } from './hark.ts';

/** A log of so many events, in pages as large as they are asked for. */
function logOf(size: number): Promise<FakeService> {
  return FakeService.start((_request, response, { searchParams }) => {
    const after = Number(searchParams.get('after') ?? 0);
    const limit = Number(searchParams.get('limit') ?? 100);
    const count = Math.max(0, Math.min(limit, size - after));
    const events = Array.from({ length: count }, (_, index) => envelope(after + index + 1));
    sendJson(response, 200, { events, next: after + count < size ? after + count : null });
  });
}

describe.concurrent('hark events list', () => {
  test('gives a line of JSON an event, over as many pages as it takes', async () => {
    await using service = await logOf(5_000);
    const args = ['events', 'list', '--json', '--after', '10', '--limit', '2500', '--stream', 'settings'];
    const { code, stdout } = await hark([...args, '--type', 'config:changed'], { HARK_URL: service.url });
    assert.equal(code, 0);
    const lines = stdout.trimEnd().split('\n');
    assert.deepEqual(JSON.parse(lines[0] ?? ''), envelope(11));
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).position),
      Array.from({ length: 2_500 }, (_, index) => index + 11),
    );
    assert.match(
      service.requests[0]?.url ?? '',
      /stream=settings&type=config%3Achanged&after=10&limit=1000$/,
    );
  });

  test('gives people columns, and terminals nothing to obey', async () => {
    await using service = await FakeService.start((_request, response) =>
      sendJson(response, 200, {
        events: [envelope(1, { text: 'a\u001b[2Jb\u009b' }), envelope(12)],
        next: null,
      }),
    );
    const { stdout } = await hark(['events', 'list', '--url', service.url]);
    assert.equal(
      stdout,
      [
        '1       2026-01-02T03:00:00.001Z  config:changed            settings              {"text":"a\\u001b[2Jb\\u009b"}',
        '12      2026-01-02T03:00:00.012Z  config:changed            settings              {"changes":{}}',
        '',
      ].join('\n'),
    );
  });

  test('ends quietly when its reader has seen enough', async () => {
    await using service = await logOf(100_000);
    const list = `"${process.execPath}" "${bin}" events list --json --limit 100000`;
    const shell = spawn('bash', ['-c', `${list} | head -n 1; exit \${PIPESTATUS[0]}`], {
      env: { PATH: process.env.PATH, HARK_URL: service.url },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [stdout, stderr, [code]] = await Promise.all([
      text(shell.stdout),
      text(shell.stderr),
      once(shell, 'exit'),
    ]);
    assert.equal(JSON.parse(stdout).position, 1);
    assert.equal(stderr, '');
    assert.equal(code, 0);
    assert.ok(service.requests.length < 1_000, 'it stopped asking');
  });

  test('shows its key to the service, and to nobody else', async () => {
    const key = 'secret-of-mine';
    await using service = await FakeService.start((request, response) =>
      sendJson(response, 401, { error: 'Unauthorized', message: `no: ${request.headers.authorization}` }),
    );
    for (const given of [['--api-key', key], [`--api-key=${key}`], []]) {
      const environment = { HARK_URL: service.url, ...(given.length === 0 ? { HARK_API_KEY: key } : {}) };
      const { code, stdout, stderr } = await hark(['events', 'list', ...given], environment);
      assert.equal(code, 1);
      assert.match(
        stderr,
        /^hark: 401 Unauthorized: .+ a key was sent: that of --api-key, HARK_API_KEY .+\n$/,
      );
      assert.ok(!(stdout + stderr).includes(key));
    }
    assert.deepEqual(
      service.requests.map(({ headers }) => headers.authorization),
      Array(3).fill(`Bearer ${key}`),
    );
  });

  const failures = [
    [
      400,
      { error: 'Validation failed', issues: [{ path: ['limit'], message: 'too big' }] },
      1,
      /limit too big/,
    ],
    [500, { error: 'Internal error', message: 'Internal error' }, 1, /^hark: 500 Internal error\n$/],
    [503, { error: 'Deferred', errorCode: 'RESOURCES_BUSY', message: 'later' }, 2, /503 Deferred: later/],
    [503, { error: 'Unavailable', errorCode: 'PROFILE_DISCONNECTED', message: 'x' }, 3, /503 Unavailable/],
  ] as const;
  for (const [status, body, expected, line] of failures) {
    test(`exits with ${expected} on ${status} ${'errorCode' in body ? body.errorCode : body.error}`, async () => {
      await using service = await FakeService.start((_request, response) => sendJson(response, status, body));
      const { code, stderr } = await hark(['events', 'list', '--url', service.url]);
      assert.equal(code, expected);
      assert.match(stderr, line);
      assert.equal(stderr.split('\n').length, 2, 'one line');
    });
  }

  test('says so when what answers is something else, or nothing does', async () => {
    await using other = await FakeService.start((_request, response) => response.end('<html></html>'));
    const strange = await hark(['events', 'list', '--url', other.url]);
    assert.equal(strange.code, 1);
    assert.match(strange.stderr, /is not hark\n$/);
    const silent = await hark(['events', 'list', '--url', `http://127.0.0.1:${await heldPort()}`]);
    assert.equal(silent.code, 1);
    assert.match(silent.stderr, /^hark: Cannot reach .+ \(ECONNREFUSED\)\. Is it running\?/);
  });
});

describe.concurrent('hark events tail', () => {
  test('goes on behind the last event after a lost connection', async () => {
    const resumes: (string | undefined)[] = [];
    await using service = await FakeService.start((request, response, url) => {
      assert.equal(url.searchParams.get('topics'), 'config:*');
      const last = request.headers['last-event-id'];
      resumes.push(last?.toString());
      const position = Number(last ?? 0) + 1;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const message = `id: ${position}\nevent: config:changed\ndata: ${JSON.stringify(envelope(position))}\n\n`;
      // The message is whole, what follows it is cut off.
      response.write(`: heartbeat\n\n${message}id: 99\ndata: {"posi`, () => response.socket?.destroySoon());
    });
    const child = startHark(['events', 'tail', '--topics', 'config:*', '--json', '--url', service.url]);
    if (!child.stdout || !child.stderr) throw new Error('No pipes');
    const said = text(child.stderr);
    const positions: number[] = [];
    for await (const line of createInterface(child.stdout)) {
      positions.push(JSON.parse(line).position);
      if (positions.length === 3) break;
    }
    child.kill();
    assert.deepEqual(positions, [1, 2, 3]);
    assert.deepEqual(resumes.slice(0, 3), [undefined, '1', '2']);
    assert.match(await said, /^hark: The connection was lost; trying again\n/);
  });

  test('gives up at once when the service refuses, or is not there', async () => {
    await using service = await FakeService.start((_request, response) =>
      sendJson(response, 400, { error: 'Validation failed', message: 'topics' }),
    );
    const refused = await hark(['events', 'tail', '--url', service.url]);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /^hark: 400 Validation failed: topics\n$/);
    const absent = await hark(['events', 'tail', '--url', 'http://127.0.0.1:9']);
    assert.equal(absent.code, 1);
  });
});
