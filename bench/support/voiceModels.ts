import { says } from '../../src/demo/model/script.ts';
import { ScriptedModels } from '../../src/demo/model/scriptedModels.ts';
import { providersAt } from '../../test/support/models/environment.ts';

/* A process of its own: models that answer at once, shortly, or at length. Says how a service finds them. */

const LONG = Array.from(
  { length: 5 },
  (_, index) => `This is the part of the answer with number ${index + 1}. `,
);

const models = await ScriptedModels.start({ record: false });
models.script(says('The answer is forty two.'), { contains: 'time' });
models.script(says(...LONG), { contains: 'weather' });
models.script(says('Okay.'), { contains: 'music' });
process.stdout.write(`${JSON.stringify(providersAt(models))}\n`);
process.stdin.resume().once('end', () => process.exit());
