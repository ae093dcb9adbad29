import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'vitest';
import { noBzip2, noise, tarBz2Of } from '../support/archives.ts';
import { browserIsMissing } from '../support/browser.ts';
import { ensureBuilt } from '../support/dashboard.ts';
import { temporaryFolder } from '../support/dataDirectory.ts';
import { FileHost } from '../support/fileHost.ts';
import { InProcessService } from '../support/service.ts';
import { openPage } from '../support/sharedBrowser.ts';
import { skippedFor } from '../support/skippedFor.ts';

const home = temporaryFolder('models-browser');

describe('the page of models', { ...skippedFor(browserIsMissing), ...skippedFor(noBzip2) }, () => {
  test('downloads one, asks before one without a checksum, ends a download, and deletes', async (t) => {
    ensureBuilt();
    const archive = tarBz2Of([{ name: 'tiny-1/model.onnx', content: noise(200_000, 7) }]);
    const host = await FileHost.start(new Map([['/r/tiny-1.tar.bz2', archive]]));
    t.onTestFinished(() => host.stop());
    const described = (id: string, sha256: string | null) => ({
      ...{ id, name: `Tiny ${id}`, type: 'stt', family: 'nemo-ctc', licence: 'MIT', languages: ['en'] },
      host: host.url,
      files: [{ name: 'tiny-1', path: 'r/tiny-1.tar.bz2', bytes: archive.byteLength, sha256 }],
      parts: { model: 'tiny-1/model.onnx' },
    });
    const manifest = join(home, 'models.json');
    const all = [described('known', hash('sha256', archive)), described('unknown', null)];
    writeFileSync(manifest, JSON.stringify(all));
    const service = await InProcessService.start({
      SERVICE_DATA_DIR: join(home, 'data'),
      SERVICE_MODELS_MANIFEST: manifest,
    });
    t.onTestFinished(() => service.stop());
    await using opened = await openPage(`${service.url}/models?q=tiny`);
    const { page } = opened;
    await page.getByRole('button', { name: 'Download Tiny known' }).click();
    await page.getByText('Tiny known is here').waitFor();
    const removedAt = Number((await service.advance(60_000)).body.now);
    await page.getByRole('button', { name: 'Delete Tiny known' }).click();
    const sure = page.getByRole('dialog', { name: 'Delete Tiny known?' });
    await sure.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Download Tiny known' }).waitFor();
    host.prepare('stop halfway');
    await page.getByRole('button', { name: 'Download Tiny unknown' }).click();
    const unsure = page.getByRole('dialog', { name: 'Download Tiny unknown without a checksum?' });
    await unsure.getByRole('button', { name: 'Download' }).click();
    await page.getByRole('progressbar').waitFor();
    await page.getByRole('button', { name: 'End the download Tiny unknown' }).click();
    await page.getByRole('button', { name: 'Download Tiny unknown' }).waitFor();
    await service.advance(60_000);
    const here = page.getByText('here', { exact: true });
    assert.equal(await here.count(), 0);
    // As it was before it was deleted: here, and nothing to be done about it.
    await page.goto(`${service.url}/models?q=tiny&at=${removedAt - 1}`);
    await here.waitFor();
    assert.equal(await page.getByRole('button', { name: /Tiny/ }).count(), 0);
    assert.deepEqual([opened.complaints, opened.elsewhere], [[], []]);
  });
});
