import assert from 'node:assert/strict';
import { fc, test } from '@fast-check/vitest';
import { describe } from 'vitest';
import { spelledOut } from '../../../src/plainText.ts';
import { envelope, FakeService, sendJson } from './fakeService.ts';
import { hark } from './hark.ts';

/** Clears the screen, in the ways of C0 and of C1, turns the text round, rings, and hides what follows. */
const HOSTILE = 'a\u001b[2J\u009b2Jb\u202ec\u2066d\u0007e\u007f\u0090f\u001b[8mg\u200fh\u061ci\rj\u2028k';
/** Line ends, and the colours of ours; on a pipe there are none. */
const STEERS = /[^\P{Cc}\n]|[\p{Bidi_Control}\u2028\u2029]/u;

const tool = { name: HOSTILE, prefix: HOSTILE, state: 'disconnected', tools: 0, refused: 0, error: HOSTILE };
const conclusion = {
  id: HOSTILE,
  text: HOSTILE,
  type: 'explicit',
  confidence: 1,
  status: 'active',
  stale: false,
  createdAt: 1,
  updatedAt: 1,
};
const answers: Readonly<Record<string, unknown>> = {
  '/api/tools/servers': { servers: [tool], count: 1, problem: HOSTILE },
  '/api/events': { events: [{ ...envelope(1, { said: HOSTILE }), stream: HOSTILE }], next: null },
  '/api/memory/conclusions': { conclusions: [conclusion], count: 1 },
};

describe('what comes from a server does not steer the terminal', () => {
  const commands = [
    ['tools', 'status'],
    ['events', 'list'],
    ['memory', 'conclusions'],
    ['memory', 'export'],
  ];
  for (const command of commands)
    for (const json of [[], ['--json']])
      test([...command, ...json].join(' '), async () => {
        await using service = await FakeService.start((_request, response, url) => {
          if (url.pathname === '/api/memory/export') {
            const lines = Buffer.from(`${JSON.stringify({ said: HOSTILE })}\n${HOSTILE}\n`);
            response.writeHead(200, { 'content-type': 'application/x-ndjson' });
            // In pieces that end within a character.
            for (let at = 0; at < lines.length; at += 7) response.write(lines.subarray(at, at + 7));
            response.end();
          } else sendJson(response, 200, answers[url.pathname]);
        });
        const { code, stdout, stderr } = await hark([...command, ...json, '--url', service.url]);
        assert.equal(code, 0, stderr);
        assert.doesNotMatch(stdout, STEERS);
        assert.match(stdout, /a\\u001b\[2J\\u009b2Jb\\u202ec\\u2066d/);
      });

  test('refusals', async () => {
    await using service = await FakeService.start((_request, response) =>
      sendJson(response, 409, { error: HOSTILE, message: HOSTILE }),
    );
    const { stderr } = await hark(['status', '--url', service.url]);
    assert.match(stderr, /a\\u001b\[2J/);
    assert.doesNotMatch(stderr, STEERS);
  });

  test('what was mistyped', async () => {
    const { code, stderr } = await hark([HOSTILE]);
    assert.equal(code, 64);
    assert.doesNotMatch(stderr, STEERS);
  });
});

test.prop([fc.jsonValue({ stringUnit: 'binary' })])('JSON that is spelled out means the same', (value) => {
  const json = JSON.stringify(value);
  const text = spelledOut(json);
  // What JSON itself leaves out, as the sign of -0, is no matter here.
  assert.deepEqual(JSON.parse(text), JSON.parse(json));
  assert.doesNotMatch(text, /[\p{Cc}\p{Bidi_Control}]/u);
});
