import { ScriptedModels } from '../../src/demo/model/scriptedModels.ts';
import { wordVector } from './wordVectors.ts';

/* A process of its own: a model that embeds at once, in the protocol of OpenAI. Ends when its parent does. */

const models = await ScriptedModels.start({ record: false });
models.script(({ texts }) => ({ kind: 'vectors', vectors: texts.map((text) => [...wordVector(text)]) }), {
  endpoint: 'embed',
});
process.stdout.write(`${JSON.stringify(models.url('cloud-b'))}\n`);
process.stdin.resume().once('end', () => process.exit());
