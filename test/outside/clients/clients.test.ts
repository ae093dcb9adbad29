import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { z } from 'zod';
import { field } from '../../../src/demo/model/loose.ts';
import { calls, says, saysJson } from '../../../src/demo/model/script.ts';
import { ScriptedModels } from '../../../src/demo/model/scriptedModels.ts';
import { providersAt } from '../../support/models/environment.ts';
import { unsetBackgroundSlots } from '../../support/quietSlots.ts';
import { InProcessService } from '../../support/service.ts';
import { recorded } from './openWebUi.ts';

/*
 * Programs of other people's clients, which know nothing of hark: where it is and its key they find in the
 * environment, and they name models of OpenAI. What works of each is the table in docs/clients.md.
 */

const folder = import.meta.dirname;
const page = readFileSync(join(folder, '../../../docs/clients.md'), 'utf8');
const { dependencies } = z
  .object({ dependencies: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));

/** What can be asked of a client, and what comes of it with the models of this file. */
const features: Readonly<Record<string, unknown>> = {
  answer: { text: 'Good evening.', tokens: 15 },
  stream: 'Good evening.',
  tools: { text: 'Take sunglasses.', steps: 2 },
  'tools in a stream': 'Take sunglasses.',
  'forced call': [{ place: 'Rome' }],
  'forced call by name': [{ place: 'Rome' }],
  'structured output': { city: 'Rome' },
  'structured output in a stream': { city: 'Rome' },
  'structured output by a function': { city: 'Rome' },
  'result of a tool by hand': 'Take sunglasses.',
  'several turns': 'Good evening again.',
  'previous response': 'Good evening again.',
  stop: 'One, two, ',
  embeddings: 2,
};

const common = [
  'answer',
  'stream',
  'tools',
  'tools in a stream',
  'forced call',
  'forced call by name',
  'structured output',
  'structured output in a stream',
  'several turns',
];
const ofLangChain = ['structured output by a function', 'result of a tool by hand'];

interface Client {
  readonly name: string;
  readonly version: string;
  readonly program: readonly string[];
  /** What its program asks for. */
  readonly asks: readonly string[];
}

const version = (name: string) => dependencies[name] ?? assert.fail(`${name} is not installed`);
const clients: readonly Client[] = [
  {
    name: '`ai`, default OpenAI provider',
    version: version('ai'),
    program: ['ai.js'],
    asks: [...common, 'previous response', 'embeddings'],
  },
  { name: '`ai`, `openai.chat`', version: version('ai'), program: ['aiChat.js'], asks: [...common, 'stop'] },
  {
    name: 'LangChain, `ChatOpenAI`',
    version: version('@langchain/openai'),
    program: ['langChain.js'],
    asks: [...common, ...ofLangChain, 'stop', 'embeddings'],
  },
  {
    name: 'LangChain, `useResponsesApi`',
    version: version('@langchain/openai'),
    program: ['langChain.js', 'responses'],
    // It leaves `required` out of what it sends there.
    asks: [...common.filter((one) => one !== 'forced call'), ...ofLangChain, 'previous response'],
  },
  {
    name: '`openai`, Chat Completions',
    version: version('openai'),
    program: ['openai.js'],
    asks: [...common, 'stop', 'embeddings'],
  },
  {
    name: '`openai`, Responses',
    version: version('openai'),
    program: ['openai.js', 'responses'],
    asks: [...common, 'previous response'],
  },
];

const outcome = z.record(
  z.string(),
  z.object({ value: z.unknown().optional(), error: z.string().optional() }),
);

describe('a client of somebody else', () => {
  let models: ScriptedModels;
  let service: InProcessService;

  beforeAll(async () => {
    models = await ScriptedModels.start();
    service = await InProcessService.start({
      ...providersAt(models),
      API_RATE_LIMIT: '100000',
      SERVICE_V1_RATE_LIMIT: '100000',
      SERVICE_V1_ANY_MODEL: 'true',
    });
    await unsetBackgroundSlots(service);
    const chat = { provider: 'cloud-a', model: 'claude-opus-4-6' };
    const embedding = { provider: 'cloud-b', model: 'text-embedding-3-small' };
    const others = { reasoning: null, coding: null, tool_calling: null, creative: null };
    assert.equal((await service.put('/api/slots', { slots: { chat, embedding, ...others } })).status, 200);
    const evening = { ...says('Good ', 'evening.'), usage: { inputTokens: 12, outputTokens: 3 } };
    models
      .script(evening, { contains: 'Say good evening' })
      .script(says('Good evening again.'), { contains: 'And again' })
      .script(says('One, two, ', 'three, four'), { contains: 'Count to ten' })
      .script(says(calls('weather', { place: 'Rome' })), { contains: 'weather in Rome' })
      // Not called unless it has to be.
      .script(
        ({ body }) => {
          const forced = field(field(body, 'tool_choice'), 'type');
          const isForced = forced === 'any' || forced === 'tool';
          return isForced ? says(calls('weather', { place: 'Rome' })) : says('It is old.');
        },
        { contains: 'Tell me of Rome' },
      )
      .script(says('Take ', 'sunglasses.'), { contains: 'Sunny in Rome' })
      .script(says(calls('place', { city: 'Rome' })), { contains: 'Call a city' })
      .script(saysJson({ city: 'Rome' }), { contains: 'Name a city' });
  });
  afterAll(async () => {
    await service.stop();
    await models.stop();
  });

  for (const { name, program, asks } of clients)
    describe(name, () => {
      let outcomes: z.output<typeof outcome>;
      beforeAll(async () => {
        const [file = '', ...args] = program;
        const env = {
          PATH: process.env.PATH,
          OPENAI_API_KEY: 'none',
          OPENAI_BASE_URL: `${service.url}/v1`,
          AI_SDK_LOG_WARNINGS: 'false',
        };
        const run = promisify(execFile)(process.execPath, [join(folder, 'programs', file), ...args], { env });
        outcomes = outcome.parse(JSON.parse((await run).stdout));
      });

      test('is tried for what the table says', () => {
        assert.deepEqual(Object.keys(outcomes).sort(), [...asks].sort());
      });

      for (const feature of asks)
        test(`has: ${feature}`, () => {
          const { value, error } = outcomes[feature] ?? {};
          assert.deepEqual({ value, error }, { value: features[feature], error: undefined });
        });
    });

  for (const { what, method, path, headers = {}, body, answers } of recorded)
    test(`Open WebUI ${what}`, async () => {
      const answer = await service.ask(method, `/v1${path}`, {
        headers,
        ...(body === undefined ? {} : { body }),
      });
      assert.equal(answer.status, 200, answer.text);
      answers(answer);
    });

  test('is in the table of docs/clients.md with what works of it', () => {
    const rows = Object.keys(features).map((feature) => {
      const cells = clients.map(({ asks }) => (asks.includes(feature) ? 'yes' : ''));
      return `| ${[feature, ...cells].join(' | ')} |`;
    });
    const head = ['', ...clients.map((client) => `${client.name} (${client.version})`)];
    const table = [`| ${head.join(' | ')} |`, `|${' --- |'.repeat(head.length)}`, ...rows].join('\n');
    const [, told = ''] = page.split(/<!-- (?:table|end) -->/);
    assert.equal(told.trim(), table);
  });
});
