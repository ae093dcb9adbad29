import { hash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { tinyModel } from './tinyModel.ts';

/*
 * node scripts/nli/writeTinyModel.ts FOLDER HOST
 * Writes the tiny inference model for a web server to offer at HOST, and the manifest that names it with its
 * checksums: SERVICE_NLI_MANIFEST=FOLDER/manifest.json has hark use it. The same goes for any other model.
 */

const [folder, host] = process.argv.slice(2);
if (folder === undefined || host === undefined)
  throw new Error('Tell a folder, and the address it is offered at');

const { model, tokenizer, config } = tinyModel();
const files = { model: 'model.onnx', tokenizer: 'tokenizer.json', config: 'config.json' } as const;
const contents = { model, tokenizer: Buffer.from(tokenizer), config: Buffer.from(config) };
const pinned = (part: keyof typeof files) => ({
  path: files[part],
  mostBytes: contents[part].byteLength,
  sha256: hash('sha256', contents[part]),
});

mkdirSync(folder, { recursive: true });
for (const part of ['model', 'tokenizer', 'config'] as const)
  writeFileSync(join(folder, files[part]), contents[part]);
const manifest = {
  id: 'tiny@1',
  host,
  model: pinned('model'),
  tokenizer: pinned('tokenizer'),
  config: pinned('config'),
};
writeFileSync(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
console.log(`SERVICE_NLI_MANIFEST=${resolve(folder, 'manifest.json')}`);
