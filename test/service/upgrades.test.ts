import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { describe, test } from 'vitest';
import { z } from 'zod';
import { eventCatalog } from '../../src/events/catalog.ts';
import { defineEvent } from '../../src/events/definition.ts';
import { Log } from '../../src/store/log.ts';
import { openAdapter } from '../../src/store/open.ts';
import { hark, TemporaryFolder } from '../interfaces/cli/hark.ts';
import { appendOf } from '../store/sampleEvents.ts';
import { InProcessService } from '../support/service.ts';

/*
 * For each released version there is a log that it has written, and what it then showed: `npm run release` keeps them.
 * One that is not released yet writes its own anew with `node scripts/release/data.ts`.
 */

const FOLDER = join(import.meta.dirname, '../../migrations/data');
const keptShape = z.object({ now: z.number(), shown: z.record(z.string(), z.unknown()) });

class Kept {
  readonly now: number;
  readonly shown: Readonly<Record<string, unknown>>;
  readonly #folder: string;

  constructor(version: string) {
    this.#folder = join(FOLDER, version);
    const kept = keptShape.parse(JSON.parse(readFileSync(join(this.#folder, 'shown.json'), 'utf8')));
    this.now = kept.now;
    this.shown = kept.shown;
  }

  /** As it lay in the data directory of that version when it ended. */
  layDown(dataDirectory: string): void {
    mkdirSync(dataDirectory, { recursive: true });
    const log = brotliDecompressSync(readFileSync(join(this.#folder, 'hark.db.br')));
    writeFileSync(join(dataDirectory, 'hark.db'), log);
  }

  serve(dataDirectory: string): Promise<InProcessService> {
    return InProcessService.start({
      ...{ SERVICE_KVSTORE_URL: 'embedded', SERVICE_DATA_DIR: dataDirectory },
      SERVICE_TEST_NOW: `${this.now}`,
    });
  }

  async assertShownBy(service: InProcessService): Promise<void> {
    for (const [path, before] of Object.entries(this.shown)) {
      const { status, text, body } = await service.get(path);
      assert.equal(status, 200, `${path}: ${text}`);
      const lines = text.split('\n').filter(Boolean);
      const now = body ?? lines.map((line) => JSON.parse(line));
      assert.deepEqual(ofWhatWas(before, now), before, path);
    }
  }
}

/** What is shown now, without fields that were not there before: new ones do nobody harm. */
function ofWhatWas(before: unknown, now: unknown): unknown {
  if (Array.isArray(before) && Array.isArray(now))
    return now.map((item, index) => (index < before.length ? ofWhatWas(before[index], item) : item));
  if (!isObject(before) || !isObject(now)) return now;
  const fields = Object.entries(now).filter(([name]) => name in before);
  return Object.fromEntries(fields.map(([name, value]) => [name, ofWhatWas(before[name], value)]));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

for (const version of readdirSync(FOLDER))
  describe(`the data of hark ${version}`, () => {
    const kept = new Kept(version);

    test('are opened by this one, which shows the same and goes on', async () => {
      using folder = new TemporaryFolder();
      kept.layDown(folder.path);
      const service = await kept.serve(folder.path);
      await kept.assertShownBy(service);
      const body = { text: 'Walks to work on Fridays.' };
      assert.equal((await service.ask('POST', '/api/memory/conclusions', { body })).status, 201);
      await service.stop();
    });
  });

test('the way back from a newer hark is the backup from before it', async () => {
  const [version = ''] = readdirSync(FOLDER);
  const kept = new Kept(version);
  using folder = new TemporaryFolder();
  const [data, before, after] = ['data', 'before.db', 'data-before'].map((name) => join(folder.path, name));
  assert(data && before && after);
  kept.layDown(data);
  assert.equal((await hark(['backup', before, '--data-dir', data])).code, 0);

  // The newer one knows something that this one does not, and writes it down.
  const dream = defineEvent('memory.dream.dreamt', { data: () => z.object({ of: z.string() }) });
  const newer = await Log.open(await openAdapter('embedded', data), [...eventCatalog, dream]);
  await newer.append(appendOf('dreams', { events: [{ type: dream.type, data: { of: 'sheep' } }] }));
  await newer.close();
  const written = readFileSync(join(data, 'hark.db'));

  const ports = { HEALTH_PORT: '0', MCP_PORT: '0', AUDIO_PORT: '0', SERVICE_MDNS_ENABLED: 'false' };
  const refused = await hark(['start'], { ...ports, SERVICE_DATA_DIR: data });
  assert.notEqual(refused.code, 0);
  assert.match(
    refused.stdout + refused.stderr,
    /The log holds memory\.dream\.dreamt in version 1; this hark knows none\. Start it with the newer version that wrote it/,
  );
  assert.ok(readFileSync(join(data, 'hark.db')).equals(written), 'It has written to what it refused');

  const restored = await hark(['restore', before, '--data-dir', after]);
  assert.equal(restored.code, 0, restored.stderr);
  const service = await kept.serve(after);
  await kept.assertShownBy(service);
  await service.stop();
});
