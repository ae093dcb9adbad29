import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, test } from 'vitest';
import type { ModelRequest } from '../../src/demo/model/request.ts';
import { embeds, fails, saysJson } from '../../src/demo/model/script.ts';
import { ScriptedModels } from '../../src/demo/model/scriptedModels.ts';
import { bytesOf } from '../support/dataDirectory.ts';
import { providersAt } from '../support/models/environment.ts';
import { RedisServer, redisIsMissing } from '../support/redis.ts';
import { SearchModule } from '../support/searchModule.ts';
import { EventReader, InProcessService } from '../support/service.ts';
import { skippedFor } from '../support/skippedFor.ts';

const LIMITS = { API_RATE_LIMIT: '100000', CHAT_RATE_LIMIT: '100000' };
const SLOTS = {
  chat: { provider: 'local-runner', model: 'qwen3:8b' },
  embedding: { provider: 'local-runner', model: 'nomic-embed-text' },
  classification: null,
};

/**
 * What the scripted model understands: a sentence about the user, and a question in other words that it answers. All
 * that was said otherwise means something else to it, so that nothing but the sentence can be what was found.
 */
const meanings = [/the user's sister|zus/i, /user dreads|arachnids/i, /^tone: |manner/i];
function vectorOf(text: string): readonly number[] {
  const about = meanings.map((words) => (words.test(text) ? 1 : 0));
  return about.some((value) => value > 0) ? [...about, 0.1] : [0, 0, 0, 1];
}
const understands = ({ texts }: ModelRequest) => embeds(...texts.map(vectorOf));

const ZUS = 'Waar woont mijn zus?';
const MIA = "Mia, the user's sister, lives in Bergen.";

interface Item {
  readonly kind: string;
  readonly id: string;
  readonly text: string;
  readonly score: number;
  readonly sources?: readonly string[];
}

interface Place {
  readonly environment: Record<string, string>;
  /** What lies there, each with its name. */
  readonly bytes: () => Promise<ReadonlyMap<string, Buffer>>;
  readonly stop: () => Promise<void>;
}

const places: Record<string, { readonly skip: boolean | string; readonly open: () => Promise<Place> }> = {
  'in the process': {
    skip: false,
    async open() {
      const directory = mkdtempSync(join(tmpdir(), 'hark-statements-'));
      const environment = { SERVICE_KVSTORE_URL: 'embedded', SERVICE_DATA_DIR: directory };
      return {
        environment,
        bytes: async () => bytesOf(directory),
        stop: async () => rmSync(directory, { recursive: true }),
      };
    },
  },
  'in Redis': {
    skip: redisIsMissing,
    async open() {
      const redis = await RedisServer.start();
      const module = await SearchModule.start(redis);
      return {
        environment: { SERVICE_KVSTORE_URL: module.url },
        async bytes() {
          const client = redis.client();
          const keys = await client.keys('{hark}:vectors:*');
          const all = new Map<string, Buffer>();
          for (const key of keys)
            if ((await client.type(key)) === 'hash')
              all.set(key, Buffer.concat(Object.values(await client.hgetallBuffer(key))));
          client.disconnect();
          return all;
        },
        async stop() {
          await module.stop();
          await redis.stop();
        },
      };
    },
  },
};

for (const [where, { skip, open }] of Object.entries(places))
  describe(`what is believed, by what it means, with vectors ${where}`, { ...skippedFor(skip) }, () => {
    let models: ScriptedModels;
    let place: Place;
    let service: InProcessService;
    beforeAll(async () => {
      models = await ScriptedModels.start();
      place = await open();
      service = await InProcessService.start({ ...LIMITS, ...providersAt(models), ...place.environment });
      const { status, text } = await service.put('/api/slots', { slots: SLOTS });
      assert.equal(status, 200, text);
    });
    beforeEach(() => models.script(understands, { endpoint: 'embed' }));
    afterEach(() => models.reset());
    afterAll(async () => {
      await service.stop();
      await models.stop();
      await place.stop();
    });

    const as = (user: string) => ({ headers: { 'x-user-id': user } });
    const happens = async (user: string, type: string) => {
      const path = `/api/events/stream?topics=${type}&after=0`;
      const reader = await EventReader.open(service.url + path, as(user).headers);
      assert.equal((await reader.next())?.event, type);
      reader.close();
    };
    /**
     * What is said within a second is asked for together. The clock moves once it is said: a relationship is found
     * after its episode was told of, and would else be said a second before a moment that never comes.
     */
    const embedded = async (user: string, [said, type]: readonly [said: string, embedded: string]) => {
      await happens(user, said);
      await service.advance(1_000);
      await happens(user, type);
    };
    const tell = async (user: string, content: string) => {
      const sessions = [{ id: user, startedAt: 1_690_000_000_000, messages: [{ role: 'user', content }] }];
      const body = { source: 'conversation', content: { sessions } };
      const { status, text } = await service.ask('POST', '/api/memory/import', { body, ...as(user) });
      assert.equal(status, 200, text);
    };
    const tellOfMia = async (user: string) => {
      await tell(user, 'My sister Mia lives in Bergen.');
      await embedded(user, ['entities.relationship.stated', 'entities.relationships.embedded']);
    };
    const context = async (user: string, query: string) => {
      const body = { query };
      const asked = await service.ask<{ items: Item[] }>('POST', '/api/memory/context', {
        body,
        ...as(user),
      });
      assert.equal(asked.status, 200, asked.text);
      return asked.body.items;
    };
    const best = async (user: string, query: string, kind: string) =>
      (await context(user, query)).filter((item) => item.kind === kind)[0];
    const ask = async (user: string, question: string) =>
      (
        await service.ask<{ answer: string; sources: string[] }>('POST', '/api/memory/ask', {
          body: { question },
          ...as(user),
        })
      ).body;
    const find = async (user: string, query: string) => {
      const path = `/api/memory/search?q=${encodeURIComponent(query)}`;
      const { body } = await service.get<{ results: { id: string; matchType: string }[] }>(
        path,
        as(user).headers,
      );
      return body.results;
    };
    /** Where the vector of what means the same as this text lies. */
    const holding = async (text: string) => {
      const numbers = Buffer.from(Float32Array.from(vectorOf(text)).buffer);
      return [...(await place.bytes())].filter(([, bytes]) => bytes.includes(numbers)).map(([name]) => name);
    };

    test('a relationship comes before the model, answers, and leads to its episode', async () => {
      await tellOfMia('ann');
      const item = (await context('ann', ZUS)).find(({ text }) => text === MIA);
      assert.equal(item?.kind, 'relationship');
      assert.equal(item?.sources?.length, 1);
      models.script(fails('wrong-key'), { endpoint: 'chat' });
      const answer = await ask('ann', ZUS);
      assert.match(answer.answer, /Mia/);
      assert.deepEqual(answer.sources, item?.sources);
      const [found] = await find('ann', ZUS);
      assert.deepEqual([found?.id, found?.matchType], [item?.sources?.[0], 'semantic']);
      assert.deepEqual(await find('ben', ZUS), []);
    });

    test('a model that answers from it has its episodes for sources', async () => {
      await tellOfMia('bea');
      const items = await context('bea', ZUS);
      const line = 1 + items.findIndex(({ text }) => text === MIA);
      const said = { reasoning: 'It says so', known: true, answer: 'Bergen', confidence: 0.9, lines: [line] };
      models.script(saysJson(said), { endpoint: 'chat' });
      const { answer, sources } = await ask('bea', ZUS);
      assert.deepEqual([answer, sources.length], ['Bergen', 1]);
    });

    test('a conclusion is found in other words, and gone with its vector when it is erased', async () => {
      const body = { text: 'The user dreads spiders.' };
      const drawn = await service.ask<{ conclusion: { id: string } }>('POST', '/api/memory/conclusions', {
        body,
        ...as('cleo'),
      });
      await embedded('cleo', ['memory.conclusion.drawn', 'memory.conclusion.embedded']);
      const question = 'How about arachnids?';
      assert.ok(((await best('cleo', question, 'conclusion'))?.score ?? 0) > 0.5);
      const path = `/api/memory/conclusions/${drawn.body.conclusion.id}`;
      assert.equal((await service.ask('DELETE', path, as('cleo'))).status, 200);
      assert.deepEqual(await context('cleo', question), []);
      assert.deepEqual(await holding(question), [], 'a vector is there in the clear');
      const events = await service.get('/api/events?type=memory.conclusion.embedded', as('cleo').headers);
      assert.match(events.text, /"vector":null/);
    });

    test('a preference answers, until it is another', async () => {
      const prefer = (tone: string) =>
        service.ask('PUT', '/api/memory/profile', { body: { preferences: { tone } }, ...as('dora') });
      await prefer('terse');
      await embedded('dora', ['memory.profile.changed', 'memory.profile.embedded']);
      models.script(fails('wrong-key'), { endpoint: 'chat' });
      const question = 'In what manner am I to be answered?';
      assert.equal((await ask('dora', question)).answer, 'tone: terse');
      await prefer('chatty');
      assert.doesNotMatch((await ask('dora', question)).answer, /terse/);
    });

    test('relationships are gone with their vectors when their episode, or who they are of, is erased', async () => {
      for (const user of ['eve', 'finn', 'gus'] as const) {
        await tellOfMia(user);
        const item = await best(user, ZUS, 'relationship');
        const { body } = await service.get<{ entities: { id: string; name: string }[] }>(
          '/api/entities',
          as(user).headers,
        );
        const mia = body.entities.find(({ name }) => name === 'Mia');
        const paths = {
          eve: `/api/memory/episodes/${item?.sources?.[0]}`,
          finn: `/api/entities/${mia?.id}`,
          gus: '/api/memory',
        };
        const path = paths[user];
        assert.equal((await service.ask('DELETE', path, as(user))).status, 200);
        assert.equal(await best(user, ZUS, 'relationship'), undefined);
        const { text } = await service.get(
          '/api/events?type=entities.relationships.embedded',
          as(user).headers,
        );
        assert.match(text, /"vectors":null/);
        assert.doesNotMatch(text, /"vectors":"/);
      }
      const left = (await holding(ZUS)).filter((name) => /(?:eve|finn|gus).*relationships/.test(name));
      assert.deepEqual(left, []);
      // Of these other things are believed too.
      for (const user of ['ann', 'bea', 'finn']) await service.ask('DELETE', '/api/memory', as(user));
      assert.deepEqual(await holding(ZUS), []);
    });
  });
