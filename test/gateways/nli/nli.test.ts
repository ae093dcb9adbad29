import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, test } from 'vitest';
import { tinyModel } from '../../../scripts/nli/tinyModel.ts';
import {
  filesOf,
  type NliModel,
  nliFilesIn,
  nliModels,
  readNliModel,
} from '../../../src/gateways/nli/models.ts';
import { Nli } from '../../../src/gateways/nli/nli.ts';
import { temporaryFolder } from '../../support/dataDirectory.ts';
import { ModelHost } from '../../support/modelHost.ts';

/** Far longer than the host takes for anything that it does say. */
const SILENCE_MS = 500;
const wanted = new AbortController().signal;
const LIKES = 'The user likes coffee';
const DISLIKES = 'The user does not like coffee';

describe('a local inference model', () => {
  let host: ModelHost;
  const home = temporaryFolder('nli');
  let folders = 0;
  let folder: string;
  let now = 0;
  const news: [string, Readonly<Record<string, unknown>>][] = [];
  const opened: Nli[] = [];

  beforeAll(async () => {
    host = await ModelHost.start();
  });
  afterAll(() => host.stop());
  beforeEach(() => {
    folder = join(home, String(++folders));
    news.length = 0;
    host.asked.length = 0;
  });
  afterEach(async () => {
    for (const nli of opened.splice(0)) await nli.stop();
  });

  interface Opening extends Partial<ConstructorParameters<typeof Nli>[0]> {
    readonly mirror?: string;
    readonly longestSilenceMs?: number;
    readonly place?: string;
  }

  const open = ({ model = host.model, place = folder, mirror, longestSilenceMs, ...more }: Opening = {}) => {
    const nli = new Nli({
      model,
      files: nliFilesIn(place, model, {
        mirror,
        ...(longestSilenceMs === undefined ? {} : { longestSilenceMs }),
      }),
      clock: () => now,
      onNews: (message, facts) => news.push([message, facts]),
      ...more,
    });
    opened.push(nli);
    return nli;
  };

  const fetched = async (more: Opening = {}) => {
    const nli = open(more);
    assert.equal(nli.isReady(), false);
    await nli.settled();
    return nli;
  };

  test('comes when it is wanted, is opened, and judges both directions in one batch', async () => {
    const nli = open();
    assert.deepEqual(nli.state, { is: 'missing' });
    assert.equal(nli.isReady(), false);
    assert.equal(nli.state.is, 'downloading');
    await nli.settled();
    assert.deepEqual(nli.state, { is: 'present' });
    assert.ok(nli.isReady());
    const verdicts = await nli.judge(
      [
        { one: LIKES, other: DISLIKES },
        { one: DISLIKES, other: LIKES },
        { one: LIKES, other: 'the USER likes coffee' },
        { one: LIKES, other: 'The user plays chess in Lisbon, at a place with a long name' },
      ],
      wanted,
    );
    assert.deepEqual(
      verdicts.map(({ label }) => label),
      ['contradiction', 'contradiction', 'entailment', 'neutral'],
    );
    for (const { probabilities } of verdicts) {
      const { contradiction, entailment, neutral } = probabilities;
      assert.ok(Math.abs(contradiction + entailment + neutral - 1) < 1e-6);
    }
    assert.ok((verdicts[0]?.probabilities.contradiction ?? 0) > 0.9);
    assert.deepEqual(verdicts[0]?.probabilities, verdicts[1]?.probabilities);
    assert.deepEqual(nli.state, { is: 'proven' });
  });

  test('is the same for a pair alone as in any batch, and takes what is too long for it', async () => {
    const nli = await fetched();
    const long = `The user ${'likes '.repeat(2_000)}coffee`;
    const [alone] = await nli.judge([{ one: LIKES, other: DISLIKES }], wanted);
    const [, among, longest] = await nli.judge(
      [
        { one: 'a', other: '' },
        { one: LIKES, other: DISLIKES },
        { one: long, other: `${long} not` },
      ],
      wanted,
    );
    assert.deepEqual(among, alone);
    assert.ok(longest);
  });

  test('is let go while it is in use, deleted, and comes again when it is next wanted', async () => {
    const files = nliFilesIn(folder, host.model, { mirror: undefined });
    const nli = await fetched({ files });
    assert.equal((await nli.judge([{ one: LIKES, other: DISLIKES }], wanted)).length, 1);
    await nli.letGo();
    await files.clear();
    assert.equal(nli.isReady(), false);
    await nli.settled();
    assert.ok(nli.isReady());
    assert.equal((await nli.judge([{ one: LIKES, other: DISLIKES }], wanted)).length, 1);
  });

  test('has its files in a folder for the owner alone, and does not fetch them again', async () => {
    await (await fetched()).stop();
    assert.deepEqual(readdirSync(folder).sort(), ['config.json', 'model.onnx', 'tokenizer.json']);
    host.asked.length = 0;
    const again = open();
    assert.ok(again.isReady());
    assert.equal((await again.judge([{ one: LIKES, other: DISLIKES }], wanted)).length, 1);
    assert.deepEqual(host.asked, []);
  });

  test('comes from a mirror where one is named, with the checksums it has to have', async () => {
    const model: NliModel = { ...host.model, host: 'http://127.0.0.1:1' };
    const nli = await fetched({ model, mirror: `${host.url}/` });
    assert.ok(nli.isReady());
  });

  test('goes on at once where a host breaks off, as long as that brings anything', async () => {
    host.prepare('stop halfway', 'stop halfway');
    const nli = await fetched({ longestSilenceMs: SILENCE_MS });
    assert.deepEqual(nli.state, { is: 'present' });
    const ranges = host.asked.slice(2).map(({ range }) => Number(/\d+/.exec(range ?? '0')?.[0]));
    assert.equal(ranges.length, 3);
    assert.ok((ranges[0] ?? 0) < (ranges[1] ?? 0) && (ranges[1] ?? 0) < (ranges[2] ?? 0), String(ranges));
  });

  test('goes on with half a download where it ended', async () => {
    host.prepare('stop halfway', 'be missing');
    const nli = await fetched({ longestSilenceMs: SILENCE_MS });
    assert.equal(whyOf(nli), 'The host answered 404');
    assert.equal(nli.isReady(), false, 'it rests for a while');
    assert.equal(host.asked.length, 4);
    now += 24 * 60 * 60_000;
    assert.equal(nli.isReady(), false);
    await nli.settled();
    assert.deepEqual(nli.state, { is: 'present' });
    assert.match(host.asked.at(-1)?.range ?? '', /^bytes=[1-9]\d*-$/);
    assert.equal((await nli.judge([{ one: LIKES, other: DISLIKES }], wanted)).length, 1);
  });

  test('is there in the end, however often its host breaks off', async () => {
    host.prepare('break off', 'break off', 'break off');
    const nli = open();
    for (let tries = 0; !nli.isReady(); tries++) {
      assert.ok(tries < 5);
      await nli.settled();
      now += 24 * 60 * 60_000;
    }
    assert.equal((await nli.judge([{ one: LIKES, other: DISLIKES }], wanted)).length, 1);
  });

  test('begins anew with a host that gives no parts', async () => {
    host.prepare('stop halfway', 'ignore ranges');
    const again = await fetched({ longestSilenceMs: SILENCE_MS });
    assert.deepEqual(again.state, { is: 'present' });
    const size = host.model.model.mostBytes;
    assert.equal(readFileSync(join(folder, 'model.onnx')).byteLength, size);
  });

  test('with a wrong checksum is thrown away, which is said, and fetched once more', async () => {
    host.prepare('spoil');
    const nli = await fetched();
    assert.deepEqual(
      news.filter(([, { file }]) => file),
      [['a file of the inference model has a wrong checksum', { model: 'tiny@1', file: 'model.onnx' }]],
    );
    assert.deepEqual(nli.state, { is: 'present' });
    assert.equal(host.asked.filter(({ path }) => path.endsWith('.onnx')).length, 2);
  });

  test('with a wrong checksum twice is thrown away, and that is said', async () => {
    host.prepare('spoil', 'spoil');
    const nli = await fetched();
    assert.deepEqual(nli.state, { is: 'failed', why: 'model.onnx has a wrong checksum', at: now });
    assert.equal(existsSync(join(folder, 'model.onnx')), false);
    assert.equal(existsSync(join(folder, 'model.onnx.part')), false);
    assert.equal(news.at(-1)?.[1].why, 'model.onnx has a wrong checksum');
  });

  test('that changed on disk is never opened: it goes, that is said, and it comes again', async () => {
    await (await fetched()).stop();
    const file = join(folder, 'tokenizer.json');
    writeFileSync(file, `${readFileSync(file, 'utf8')} `);
    const nli = open();
    assert.ok(nli.isReady());
    await assert.rejects(nli.judge([{ one: LIKES, other: DISLIKES }], wanted), /refused: checksum/);
    assert.deepEqual(
      news.find(([, { file }]) => file),
      ['a file of the inference model has a wrong checksum', { model: 'tiny@1', file: 'tokenizer.json' }],
    );
    while (!nli.isReady()) await nli.settled();
    assert.equal((await nli.judge([{ one: LIKES, other: DISLIKES }], wanted)).length, 1);
  });

  test('that takes other inputs is refused', async () => {
    const other = await ModelHost.start(tinyModel({ firstInput: 'words' }));
    try {
      const nli = await fetched({ model: other.model });
      await assert.rejects(nli.judge([{ one: LIKES, other: DISLIKES }], wanted), /refused: inputs/);
      assert.deepEqual(nli.state, { is: 'failed', why: 'it has unexpected inputs', at: now });
      assert.equal(nli.isReady(), false);
    } finally {
      await other.stop();
    }
  });

  for (const [what, config] of [
    ['labels that are no verdicts', { id2label: { 0: 'LABEL_0', 1: 'LABEL_1', 2: 'LABEL_2' } }],
    ['two labels', { id2label: { 0: 'entailment', 1: 'contradiction' } }],
    ['one label twice', { id2label: { 0: 'neutral', 1: 'neutral', 2: 'contradiction' } }],
  ] as const)
    test(`with ${what} is refused`, async () => {
      const other = await ModelHost.start({ ...tinyModel(), config: JSON.stringify(config) });
      try {
        const nli = await fetched({ model: other.model });
        await assert.rejects(nli.judge([{ one: LIKES, other: DISLIKES }], wanted), /refused: labels/);
      } finally {
        await other.stop();
      }
    });

  test('whose configuration nobody has pinned is opened by the labels that are known of it', async () => {
    const config = { labels: ['entailment', 'neutral', 'contradiction'] } as const;
    const nli = await fetched({ model: { ...host.model, config } });
    assert.deepEqual(readdirSync(folder).sort(), ['model.onnx', 'tokenizer.json']);
    const judged = await nli.judge([{ one: LIKES, other: DISLIKES }], wanted);
    assert.deepEqual(judged, await (await fetched()).judge([{ one: LIKES, other: DISLIKES }], wanted));
  });

  test('is pinned in each of its files', () => {
    for (const model of Object.values(nliModels))
      for (const { name, sha256 } of filesOf(model)) assert.match(sha256 ?? '', /^[0-9a-f]{64}$/, name);
  });

  test('of files that are something else is refused', async () => {
    const other = await ModelHost.start({ ...tinyModel(), model: Buffer.from('no model') });
    const another = await ModelHost.start({ ...tinyModel(), tokenizer: '[]' });
    try {
      for (const { model } of [other, another]) {
        const nli = await fetched({ model, place: join(folder, model.host.replace(/\W/g, '')) });
        await assert.rejects(nli.judge([{ one: LIKES, other: DISLIKES }], wanted), /refused: unreadable/);
      }
    } finally {
      await other.stop();
      await another.stop();
    }
  });

  test('is not fetched from a host that is away, that has nothing, that falls silent or sends too much', async () => {
    const away = await fetched({ mirror: 'http://127.0.0.1:1' });
    assert.equal(whyOf(away), 'The host cannot be reached');
    host.prepare('be missing');
    assert.equal(whyOf(await fetched()), 'The host answered 404');
    host.prepare('be silent');
    assert.equal(whyOf(await fetched({ longestSilenceMs: 50 })), 'The host stopped sending');
    const { model } = host;
    const smaller = { ...model, model: { ...model.model, mostBytes: 100 } };
    assert.equal(whyOf(await fetched({ model: smaller })), 'The host offers a larger file');
  });

  test('ends its thread when it has been idle, and comes back', async () => {
    const nli = await fetched({ idleMs: 1 });
    for (let round = 0; round < 3; round++)
      assert.equal((await nli.judge([{ one: LIKES, other: DISLIKES }], wanted)).length, 1);
  });

  test('is asked no more after it was stopped, and lets go of who waits', async () => {
    const nli = await fetched();
    const judging = assert.rejects(nli.judge([{ one: LIKES, other: DISLIKES }], wanted), /asked no more/);
    await nli.stop();
    await judging;
    await assert.rejects(nli.judge([{ one: LIKES, other: DISLIKES }], wanted), /asked no more/);
    assert.equal(nli.isReady(), false);
  });

  test('stops in the middle of a download, which the next start goes on with', async () => {
    host.prepare('be silent');
    const nli = open();
    nli.goOn();
    assert.deepEqual(host.asked, [], 'nobody wanted it yet');
    const asked = host.asksFor('.onnx');
    assert.equal(nli.isReady(), false);
    await asked;
    await nli.stop();
    const next = open();
    next.goOn();
    await next.settled();
    assert.deepEqual(next.state, { is: 'present' });
  });

  test('is described in a file as the pinned ones are in the source', async () => {
    const file = join(home, 'manifest.json');
    for (const model of [nliModels.small, nliModels.base, host.model]) {
      writeFileSync(file, JSON.stringify(model));
      assert.deepEqual(await readNliModel(file), model);
    }
    for (const wrong of [
      { ...host.model, id: '' },
      { ...host.model, host: 'file:///etc' },
      { ...host.model, model: { ...host.model.model, path: '../secret' } },
      { ...host.model, model: { ...host.model.model, path: 'a/../../secret' } },
      { ...host.model, model: { ...host.model.model, sha256: 'abc' } },
      { ...host.model, tokenizer: { path: 'tokenizer.json', mostBytes: 1 } },
      { ...host.model, config: { path: 'config.json', mostBytes: 1 } },
      { ...host.model, config: { labels: ['entailment', 'neutral', 'neutral'] } },
    ]) {
      writeFileSync(file, JSON.stringify(wrong));
      await assert.rejects(readNliModel(file));
    }
  });
});

function whyOf(nli: Nli): string | undefined {
  return nli.state.is === 'failed' ? nli.state.why : undefined;
}
