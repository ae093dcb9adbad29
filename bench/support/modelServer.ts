import { providerIds } from '../../src/vocabulary.ts';
import { says } from '../../test/support/models/script.ts';
import { ScriptedModels } from '../../test/support/models/scriptedModels.ts';

/* A process of its own: models that say two things, and say where they are. Ends when its parent does. */

const WORDS = 500;

const models = await ScriptedModels.start();
models.script(says(...Array.from({ length: WORDS }, (_, index) => `word ${index} `)), { model: 'long' });
models.script(says('Hello'), { model: 'short' });
// What was asked is of no interest here, and would fill the memory.
setInterval(() => {
  models.requests.length = 0;
}, 100);
const urls = Object.fromEntries(providerIds.map((providerId) => [providerId, models.url(providerId)]));
process.stdout.write(`${JSON.stringify(urls)}\n`);
process.stdin.resume().once('end', () => process.exit());
