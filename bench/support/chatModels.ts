import { says } from '../../src/demo/model/script.ts';
import { ScriptedModels } from '../../src/demo/model/scriptedModels.ts';
import { providersAt } from '../../test/support/models/environment.ts';
import {
  CHUNK,
  CHUNKS,
  FAST_CHUNKS,
  FAST_PACE_MS,
  LEAST_DELAY_MS,
  MOST_DELAY_MS,
  PACE_MS,
  PACED_CHUNKS,
  said,
} from './turns.ts';

/* A process of its own: models that answer as `said` has it. Says how a service finds them; ends with its parent. */

const models = await ScriptedModels.start({ record: false });
const later = Array.from({ length: MOST_DELAY_MS - LEAST_DELAY_MS + 1 }, (_, index) => {
  const delayMs = LEAST_DELAY_MS + index;
  return { ...says(String(delayMs)), delayMs };
});
const chunks = (count: number) => Array.from({ length: count }, () => CHUNK);
models.script(says('Hello'), { contains: said.atOnce });
models.script(() => later[Math.floor(Math.random() * later.length)], { contains: said.later });
models.script(says(...chunks(CHUNKS)), { contains: said.atLength });
models.script({ ...says(...chunks(PACED_CHUNKS)), paceMs: PACE_MS }, { contains: said.slowly });
models.script({ ...says(...chunks(FAST_CHUNKS)), paceMs: FAST_PACE_MS }, { contains: said.fast });
process.stdout.write(`${JSON.stringify(providersAt(models))}\n`);
process.stdin.resume().once('end', () => process.exit());
