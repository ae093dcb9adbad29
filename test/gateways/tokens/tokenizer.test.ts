import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { fc, it } from '@fast-check/vitest';
import { afterAll, describe, type TestContext } from 'vitest';
import { Tokenizer } from '../../../src/gateways/tokens/tokenizer.ts';
import { pieces } from '../../../src/gateways/tokens/wordCounts.ts';

const run = promisify(execFile);
const license = readFileSync(join(import.meta.dirname, '../../../LICENSE'), 'utf8');

function newTokenizer(idleMs = 60_000): Tokenizer {
  return new Tokenizer({
    idleMs,
    onFailure: (what, error) => {
      throw new Error(what, { cause: error });
    },
  });
}

function start(test: Pick<TestContext, 'onTestFinished'>, idleMs?: number): Tokenizer {
  const tokenizer = newTokenizer(idleMs);
  test.onTestFinished(() => tokenizer.stop());
  return tokenizer;
}

/** Goes on when the event loop had a turn: for what has no event of its own. */
const breath = () => new Promise((resolve) => setImmediate(resolve));

describe('tokens', () => {
  it('are counted as the models count them', async (t) => {
    const texts = [
      'Hello world, how are you?',
      '',
      'Привет 你好 👋🏽 naïve',
      '<|endoftext|> hi',
      '{"name":"a"}',
    ];
    assert.deepEqual(await start(t).count(texts), [7, 0, 10, 8, 5]);
  });

  describe('of any texts', () => {
    const tokenizer = newTokenizer();
    afterAll(() => tokenizer.stop());

    it.prop([fc.array(fc.string({ unit: 'binary', maxLength: 200 }))], { numRuns: 50 })(
      'are never more than the bytes',
      async (texts) => {
        const counts = await tokenizer.count(texts);
        assert.equal(counts.length, texts.length);
        for (const [index, count] of counts.entries())
          assert.ok(count <= tokenizer.atMost(texts[index] ?? ''));
      },
    );
  });

  it('of text without a break are counted as fast, and nearly as well', async (t) => {
    const [one = 0, many = 0, blank = 0] = await start(t).count([
      'a'.repeat(1_000),
      'a'.repeat(200_000),
      ' '.repeat(200_000),
    ]);
    assert.equal(many, one * 200);
    assert.ok(blank > 0);
  });

  it('of more than a million characters are said to be as many as they can be', async (t) => {
    const tokenizer = start(t);
    assert.deepEqual(await tokenizer.count(['ab '.repeat(400_000)]), [1_200_000]);
    assert.equal(tokenizer.isRunning, false);
  });
});

describe('the thread that counts', () => {
  it('is there only when it is needed', async (t) => {
    const tokenizer = start(t, 1);
    assert.equal(tokenizer.isRunning, false);
    assert.deepEqual(await tokenizer.count([]), []);
    assert.equal(tokenizer.isRunning, false);
    const first = await tokenizer.count([license, 'one']);
    while (tokenizer.isRunning) await breath();
    assert.deepEqual(await tokenizer.count(['one', license]), [...first].reverse());
    assert.equal(tokenizer.isRunning, false);
    await tokenizer.count(['two']);
    assert.equal(tokenizer.isRunning, true);
  });

  it('does not keep a process alive, and answers before the process ends', async () => {
    const counting = fileURLToPath(new URL('./countAndEnd.ts', import.meta.url));
    const { stdout } = await run(process.execPath, [counting], { timeout: 240_000 });
    assert.equal(stdout.trim(), '1');
  });

  it('counts for many at once', async (t) => {
    const tokenizer = start(t);
    const all = await Promise.all(
      Array.from({ length: 50 }, (_, index) => tokenizer.count([`word ${index}`, license])),
    );
    const [, whole = 0] = all[0] ?? [];
    assert.ok(whole > 100 && all.every(([, other]) => other === whole));
  });

  it('that breaks leaves what it can be at most, and is started again', async (t) => {
    const failures: string[] = [];
    const thread = new URL('./breakingThread.ts', import.meta.url);
    const tokenizer = new Tokenizer({ thread, onFailure: (what) => failures.push(what) });
    t.onTestFinished(() => tokenizer.stop());
    assert.deepEqual(await Promise.all([tokenizer.count(['Hello']), tokenizer.count(['you'])]), [[5], [3]]);
    assert.deepEqual(await tokenizer.count(['Hello']), [5]);
    assert.deepEqual([failures.length, tokenizer.isRunning], [3, false]);
  });

  it('that is stopped answers with what it can be at most', async (t) => {
    const tokenizer = start(t);
    const counting = tokenizer.count(['Hello world']);
    await tokenizer.stop();
    assert.deepEqual(await counting, [11]);
    assert.deepEqual(await tokenizer.count(['Hello']), [5]);
    assert.equal(tokenizer.isRunning, false);
  });
});

const part = fc.oneof(
  fc.string(),
  fc.nat(2_500).map((n) => 'x'.repeat(n)),
  fc.nat(2_500).map((n) => ' '.repeat(n)),
);

it.prop([fc.array(part)])('a text is cut into pieces that are the text, none with a long run', (parts) => {
  const text = parts.join('');
  assert.equal(pieces(text).join(''), text);
  for (const piece of pieces(text)) assert.doesNotMatch(piece, /\S{1001}|\s{1001}/);
});
