import assert from 'node:assert/strict';
import { fc, it } from '@fast-check/vitest';
import { describe, test } from 'vitest';
import type { MakeSense } from '../../../src/application/capture/ports.ts';
import { wordsOfEpisode } from '../../../src/application/memory/importedWords.ts';
import type { Command } from '../../../src/commands/command.ts';
import type { CommandContext } from '../../../src/commands/runner.ts';
import { isHarkError } from '../../../src/errors.ts';
import { isEvent } from '../../../src/events/definition.ts';
import { episodeCreated } from '../../../src/events/episodes.ts';
import { readConversation } from '../../../src/language/readConversation.ts';
import { captures } from '../../../src/projections/capture/captures.ts';
import { readOffline } from '../../../src/sagas/entities/readOffline.ts';
import { captureModes } from '../../../src/vocabulary.ts';
import { makeSense, USER, world } from './world.ts';

const MINUTE = 60_000;
const numRuns = Number(process.env.PROPERTY_RUNS ?? 60);

/** Each says something about whoever says it, by a word that nobody else says. */
const cities = ['Oslo', 'Lima', 'Quito', 'Turin', 'Porto', 'Delhi', 'Cairo', 'Perth'] as const;
const sayings = [
  (city: string) => `I moved to ${city} last year.`,
  (city: string) => `My husband is called ${city}.`,
  (city: string) => `I am allergic to ${city}.`,
  (city: string) => `I love ${city}, remember that I love ${city}.`,
  (city: string) => `My name is ${city}.`,
  (city: string) => `I work at ${city}.`,
  (city: string) => `You live in ${city}, and your wife ${city} likes it.`,
  (city: string) => `Das ist so: ich wohne in ${city}.`,
];
const utterance = fc.record({
  speaker: fc.constantFrom('user', 'visitor', 'Anna', 'User', 'the user', undefined),
  saying: fc.constantFrom(...sayings),
});
const mode = fc.constantFrom(...captureModes);
const level = fc.constantFrom('passive' as const, 'active' as const, 'full' as const);
const said = fc.array(utterance, { minLength: 1, maxLength: cities.length });

/** Believes whatever anybody says, and says that all of them said it. */
const gullible: MakeSense = async (words, asking) => {
  const sober = await makeSense(words, asking);
  const turnIds = words.map(({ turnId }) => turnId);
  const findings = words.flatMap(({ turnId, text }) =>
    [[turnId], turnIds].map((named) => {
      return { text, about: null, type: 'explicit', confidence: 0.9, by: 'model', turnIds: named } as const;
    }),
  );
  return { ...sober, findings };
};

describe('who is not the user', () => {
  for (const [name, reader] of [
    ['read offline', makeSense],
    ['read by a model that believes anything', gullible],
  ] as const)
    it.prop([said, mode, level], { numRuns })(
      `never becomes a belief about the user, ${name}`,
      async (utterances, captureMode, consentLevel) => {
        const { say, remember, stop, store, memory } = await world(consentLevel, captureMode);
        const isUser = (speaker: string | undefined) =>
          speaker === 'user' || (speaker === undefined && captureMode === 'active-participant');
        for (const [index, { speaker, saying }] of utterances.entries())
          await say(saying(cities[index] ?? ''), speaker);
        await stop();
        await remember(reader);
        const others = cities.filter(
          (_, index) => utterances[index] !== undefined && !isUser(utterances[index].speaker),
        );
        const { conclusions, episodes } = await memory();
        assert.equal(Object.keys(episodes).length, 1);
        const beliefs = Object.values(conclusions).map(({ text }) => text ?? '');
        for await (const page of store.readAll({ after: 0 }))
          for (const event of page.events) {
            if (!isEvent(event, episodeCreated)) continue;
            const words = await wordsOfEpisode(store, event);
            assert.ok(words.length > 0);
            const language = {
              readConversation: async (turns: Parameters<typeof readConversation>[0]) =>
                readConversation(turns),
            };
            const asking = { userId: USER, correlationId: 'test', signal: new AbortController().signal };
            const { relationships, entities } = await readOffline(language)(words, asking);
            beliefs.push(JSON.stringify(relationships));
            beliefs.push(...entities.filter(({ turnIds }) => turnIds.length > 0).map((one) => one.name));
          }
        for (const city of others)
          for (const belief of beliefs) assert.ok(!belief.includes(city), `${city}: ${belief}`);
      },
    );

  test('is believed nothing of what a picture shows, whoever it is said to be from', async () => {
    const { run, streamId, remember, stop, memory } = await world('passive', 'active-participant');
    const { takeSegment } = await import('../../../src/commands/capture/streams.ts');
    await run(takeSegment, {
      ...{
        streamId,
        segmentId: 's',
        modality: 'video',
        speaker: 'user',
        startedAt: 0,
        durationMs: 0,
        bytes: 1,
      },
      arrivedAt: Number.MAX_SAFE_INTEGER,
      content: {
        ...{ is: 'words', text: 'I moved to Oslo.', described: true },
        masked: { secrets: 0, cards: 0, ids: 0 },
      },
    });
    await stop();
    await remember(gullible);
    assert.deepEqual((await memory()).conclusions, {});
  });
});

describe('words that were captured', () => {
  it.prop([fc.nat(5), fc.boolean(), mode], { numRuns: 40 })(
    'become one episode, wherever a crash cuts it off',
    async (at, isWritten, captureMode) => {
      const { say, stop, remember, runner, memory, views } = await world('passive', captureMode);
      await say('I moved to Oslo last year.', 'user');
      await say('I work at Lima.', 'user');
      await stop();
      let runs = 0;
      const dying = {
        read: runner.read.bind(runner),
        async run<Input, State>(command: Command<Input, State>, input: Input, context: CommandContext) {
          const isLast = runs++ === at;
          if (isLast && !isWritten) throw new Error('killed');
          const outcome = await runner.run(command, input, context);
          if (isLast) throw new Error('killed');
          return outcome;
        },
      };
      await remember(makeSense, dying).catch((error) => assert.equal(error.message, 'killed'));
      await remember();
      await remember();
      const { episodes, conclusions } = await memory();
      assert.equal(Object.keys(episodes).length, 1);
      assert.deepEqual((await views.of(captures, USER)).batches, []);
      const texts = Object.values(conclusions).map(({ text }) => text);
      assert.equal(new Set(texts).size, texts.length);
    },
  );

  it.prop([fc.integer({ min: 0, max: 4 }), mode], { numRuns: 40 })(
    'stay forgotten when they are forgotten while they are read',
    async (since, captureMode) => {
      const { say, stop, pass, remember, forget, told, memory, batches } = await world(
        'passive',
        captureMode,
      );
      for (const city of ['Oslo', 'Lima', 'Quito', 'Turin']) {
        await say(`I moved to ${city} last year.`, 'user');
        pass(MINUTE / 2);
      }
      await stop();
      let forgotten: Awaited<ReturnType<typeof forget>> | undefined;
      const interrupted: MakeSense = async (words, asking) => {
        forgotten ??= await forget((since * MINUTE) / 2);
        return makeSense(words, asking);
      };
      await remember(interrupted).catch((error) => assert.ok(isHarkError(error, 'MEMORY_CHANGED')));
      while ((await batches()).length > 0) await remember();
      assert.equal(forgotten?.segments, since);
      const all = `${await told()}${JSON.stringify(await memory())}`;
      for (const [index, city] of ['Oslo', 'Lima', 'Quito', 'Turin'].entries())
        if (index >= 4 - since) assert.ok(!all.includes(city), city);
      const kept = Object.values((await memory()).episodes).flatMap((one) => one.capture?.segments ?? []);
      assert.equal(kept.length, 4 - since);
    },
  );

  it.prop([fc.integer({ min: 1, max: 4 }), mode], { numRuns: 40 })(
    'are forgotten with what was drawn from them, and those before them are not',
    async (since, captureMode) => {
      const { say, stop, pass, remember, forget, told, memory } = await world('passive', captureMode);
      for (const city of ['Oslo', 'Lima', 'Quito', 'Turin']) {
        await say(`I am allergic to ${city}.`, 'user');
        pass(MINUTE / 2);
      }
      await stop();
      await remember();
      const { segments, episodes } = await forget((since * MINUTE) / 2);
      assert.deepEqual({ segments, episodes }, { segments: since, episodes: 1 });
      const all = `${await told()}${JSON.stringify(await memory())}`;
      for (const [index, city] of ['Oslo', 'Lima', 'Quito', 'Turin'].entries()) {
        const isForgotten = index >= 4 - since || captureMode === 'ambient';
        if (isForgotten) assert.ok(!all.includes(city), city);
        else assert.ok(JSON.stringify((await memory()).conclusions).includes(city), city);
      }
    },
  );
});
