import assert from 'node:assert/strict';
import OpenAI, { APIError } from 'openai';
import { describe, test } from 'vitest';
import { embeds, fails, silent } from '../../src/demo/model/script.ts';
import { modelledService } from '../support/modelledService.ts';

const EMBED = { endpoint: 'embed' } as const;

describe('vectors for clients of OpenAI', () => {
  const world = modelledService({ SERVICE_V1_RATE_LIMIT: '100000' });
  const client = () => new OpenAI({ apiKey: 'none', baseURL: `${world.service.url}/v1`, maxRetries: 0 });
  const embed = async (input: OpenAI.EmbeddingCreateParams['input'], more: object = {}) => {
    const slots = { embedding: { provider: 'cloud-b', model: 'text-embedding-3-small' } };
    await world.service.put('/api/slots', { slots });
    return client().embeddings.create({ model: 'embedding', input, ...more });
  };
  const refused = async (asked: Promise<unknown>): Promise<APIError> => {
    const error = await asked.then(
      () => assert.fail('It was not refused'),
      (thrown: unknown) => thrown,
    );
    assert(error instanceof APIError);
    return error;
  };

  for (const encoding_format of ['float', 'base64'] as const)
    test(`come as ${encoding_format}, in the order of the texts`, async () => {
      world.models.script(embeds([0.5, -0.25], [1, 0]), EMBED);
      const answer = await embed(['one', 'two'], { encoding_format });
      const [first, second] = answer.data;
      assert(first && second);
      assert.deepEqual([first.index, second.index, answer.object], [0, 1, 'list']);
      if (encoding_format === 'float') assert.deepEqual(first.embedding, [0.5, -0.25]);
      else
        assert.equal(
          String(first.embedding),
          Buffer.from(Float32Array.of(0.5, -0.25).buffer).toString('base64'),
        );
      assert.equal(answer.model, 'text-embedding-3-small');
      assert.deepEqual(answer.usage, { prompt_tokens: 2, total_tokens: 2 });
      const asked = world.models.requests.find(({ endpoint }) => endpoint === 'embed');
      assert.deepEqual(asked?.texts, ['one', 'two']);
    });

  test('come as numbers from the client, which asks for base64 by itself', async () => {
    world.models.script(embeds([0.5, -0.25]), EMBED);
    assert.deepEqual((await embed('one')).data[0]?.embedding, [0.5, -0.25]);
  });

  test('are shortened to a vector of length 1', async () => {
    world.models.script(embeds([3, 4, 5]), EMBED);
    const [vector] = (await embed('one', { dimensions: 2, encoding_format: 'float' })).data;
    assert.deepEqual(
      vector?.embedding.map((number) => Math.round(number * 1e6) / 1e6),
      [0.6, 0.8],
    );
    const { status, param } = await refused(embed('one', { dimensions: 4 }));
    assert.deepEqual([status, param], [400, 'dimensions']);
  });

  test('of a batch are as many as there are texts, also in several requests to the provider', async () => {
    const texts = Array.from({ length: 300 }, (_, index) => `text ${index}`);
    const { data } = await embed(texts);
    assert.deepEqual(
      data.map(({ index }) => index),
      texts.map((_, index) => index),
    );
    assert(new Set(data.map(({ embedding }) => embedding.length)).size === 1);
  });

  const nonsense: readonly (readonly [string, OpenAI.EmbeddingCreateParams['input']])[] = [
    ['no text', []],
    ['an empty text', ['a', '']],
    ['tokens', [1, 2, 3]],
    ['too many texts', Array.from({ length: 2_049 }, () => 'x')],
  ];
  for (const [what, input] of nonsense)
    test(`of ${what} are refused`, async () => {
      const { status, type, code, param } = await refused(embed(input));
      assert.deepEqual([status, type, code], [400, 'invalid_request_error', 'invalid_value']);
      assert.match(param ?? '', /^input/);
    });

  test('are refused for a model that is none, and where no model makes any', async () => {
    assert.equal((await refused(embed('x', { model: 'text-embedding-3-small' }))).code, 'model_not_found');
    world.models.script(fails('wrong-key'), EMBED);
    const { status, code } = await refused(embed('x'));
    assert.deepEqual([status, code], [503, 'model_unavailable']);
  });

  test('are asked for no longer when the client has gone', async () => {
    world.models.script(silent(), EMBED);
    const leaving = new AbortController();
    const asked = client().embeddings.create({ model: 'embedding', input: 'x' }, { signal: leaving.signal });
    const left = assert.rejects(asked);
    const upstream = await world.models.request(1);
    leaving.abort();
    await left;
    assert.equal(await upstream.ended, true);
  });
});
