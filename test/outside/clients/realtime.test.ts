import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { z } from 'zod';
import { calls, says } from '../../../src/demo/model/script.ts';
import { ScriptedModels } from '../../../src/demo/model/scriptedModels.ts';
import { TemporaryFolder } from '../../interfaces/cli/hark.ts';
import { tlsIn } from '../../support/certificate.ts';
import { providersAt } from '../../support/models/environment.ts';
import { InProcessService } from '../../support/service.ts';

/*
 * Clients of OpenAI's Realtime API, which know nothing of hark: they find its address and key in the environment, as
 * they would find OpenAI's. Both speak TLS.
 */

const KEY = 'a-very-secret-key';
const TALE =
  'Rome was not built in a day, and it is still not done, as everybody there will tell you. '.repeat(8);

const outcome = z.record(
  z.string(),
  z.object({ value: z.unknown().optional(), error: z.string().optional() }),
);

const clients = [
  {
    program: 'agentsRealtime.js',
    outcomes: {
      conversation: { words: 'Take sunglasses.', asked: ['Rome'], speaks: true, errors: 0 },
      interruption: { ms: true, status: 'cancelled', isCut: true, errors: 0 },
    },
  },
  {
    program: 'openaiRealtime.js',
    outcomes: {
      text: { text: 'Good evening.', status: 'completed', errors: [] },
      'function call': { name: 'weather', given: { place: 'Rome' }, text: 'Take sunglasses.', errors: [] },
      truncation: {
        status: 'cancelled',
        details: { type: 'cancelled', reason: 'client_cancelled' },
        content: [{ type: 'output_audio', transcript: '' }],
        errors: [],
      },
    },
  },
];

describe('a client of the Realtime API', () => {
  let models: ScriptedModels;
  let service: InProcessService;
  let folder: TemporaryFolder;
  beforeAll(async () => {
    folder = new TemporaryFolder();
    models = await ScriptedModels.start();
    service = await InProcessService.start({
      ...providersAt(models),
      ...tlsIn(folder.path),
      SERVICE_API_KEY: KEY,
      API_RATE_LIMIT: '100000',
    });
    models
      .script(says('Good ', 'evening.'), { contains: 'Say good evening' })
      .script(says(calls('weather', { place: 'Rome' })), { contains: 'weather in Rome' })
      .script(says('Take ', 'sunglasses.'), { contains: 'Sunny' })
      .script(says(TALE), { contains: 'Tell me of Rome' });
  });
  afterAll(async () => {
    await service.stop();
    await models.stop();
    folder[Symbol.dispose]();
  });

  for (const { program, outcomes } of clients)
    describe(program, () => {
      let came: z.output<typeof outcome>;
      beforeAll(async () => {
        const env = {
          PATH: process.env.PATH,
          OPENAI_API_KEY: KEY,
          OPENAI_BASE_URL: `https://127.0.0.1:${service.port}/v1`,
          HARK_REALTIME_URL: `wss://127.0.0.1:${service.voicePort}/v1/realtime`,
          NODE_EXTRA_CA_CERTS: join(folder.path, 'cert.pem'),
        };
        const file = join(import.meta.dirname, 'programs', program);
        const { stdout } = await promisify(execFile)(process.execPath, [file], { env, timeout: 240_000 });
        came = outcome.parse(JSON.parse(stdout));
      });

      for (const [feature, value] of Object.entries(outcomes))
        test(`has: ${feature}`, () => {
          assert.deepEqual(came[feature], { value });
        });
    });
});
