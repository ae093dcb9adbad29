import { parseArgs } from 'node:util';
import { serveDemoModel } from './demoModel.ts';
import { ScriptedModels } from './scriptedModels.ts';

/*
 * node test/support/models/main.ts [--port=n]: the demo's model in place of a local runner, until SIGTERM or
 * SIGINT. One line of JSON says when it answers, and where.
 */

const { values } = parseArgs({ options: { port: { type: 'string', default: '0' } } });
const models = await ScriptedModels.start({ port: Number(values.port), record: false });
serveDemoModel(models);
console.log(JSON.stringify({ msg: 'ready', url: models.url('local-runner') }));

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => models.stop());
