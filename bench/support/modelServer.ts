import { says } from '../../src/demo/model/script.ts';
import { ScriptedModels } from '../../src/demo/model/scriptedModels.ts';
import { providerIds } from '../../src/vocabulary.ts';
import { lengths } from './bareModels.ts';

/* A process of its own: models that say two things, and say where they are. Ends when its parent does. */

const WORDS = 500;

const models = await ScriptedModels.start();
const long = says(...Array.from({ length: WORDS }, (_, index) => `word ${index} `));
const short = says('Hello');
for (const model of Object.values(lengths.long)) models.script(long, { model });
for (const model of Object.values(lengths.short)) models.script(short, { model });
// What was asked is of no interest here, and would fill the memory.
setInterval(() => {
  models.requests.length = 0;
}, 100);
const urls = Object.fromEntries(providerIds.map((providerId) => [providerId, models.url(providerId)]));
process.stdout.write(`${JSON.stringify(urls)}\n`);
process.stdin.resume().once('end', () => process.exit());
