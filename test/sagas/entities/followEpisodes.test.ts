import assert from 'node:assert/strict';
import { afterAll, beforeEach, describe, it } from 'vitest';
import { forgetWhatWasErased } from '../../../src/application/entities/forgetting.ts';
import { wordsOfEpisode } from '../../../src/application/memory/importedWords.ts';
import { forgetEpisodes } from '../../../src/commands/entities/forgetting.ts';
import { eraseEpisode, eraseMemory } from '../../../src/commands/memory/forgetting.ts';
import type { StoreCommandRunner } from '../../../src/commands/runner.ts';
import { changePreferences } from '../../../src/commands/settings/changePreferences.ts';
import { HarkError, isHarkError } from '../../../src/errors.ts';
import { eventCatalog } from '../../../src/events/catalog.ts';
import type { NewEvent } from '../../../src/events/definition.ts';
import { entitiesStream } from '../../../src/events/entities.ts';
import { memoryStream } from '../../../src/events/memory.ts';
import { userEntities } from '../../../src/folds/entities/entities.ts';
import { wholeEntities, wholeRelationships } from '../../../src/folds/entities/whole.ts';
import { Language } from '../../../src/language/language.ts';
import { ProjectionRuntime } from '../../../src/projections/runtime.ts';
import { followEpisodes } from '../../../src/sagas/entities/followEpisodes.ts';
import type { ReadEntities } from '../../../src/sagas/entities/ports.ts';
import { readOffline } from '../../../src/sagas/entities/readOffline.ts';
import { type Reaction, TryAgainLater } from '../../../src/sagas/saga.ts';
import { Log } from '../../../src/store/log.ts';
import { MemoryAdapter } from '../../../src/store/memory/adapter.ts';
import type { StoredEvent } from '../../../src/store/storedEvent.ts';
import { oneNamed } from '../../commands/entities/sample.ts';
import { anEpisode } from '../../commands/memory/sample.ts';
import { readAll } from '../../store/contract.ts';
import { runnerOn } from '../../support/counting.ts';
import { NOW } from '../../support/given.ts';
import { answered } from '../../support/sagas.ts';

const language = new Language();
afterAll(() => language.stop());

const context = { userId: 'ann', correlationId: 'test' };

describe('an episode', () => {
  let log: Log;
  let runner: StoreCommandRunner;
  let views: ProjectionRuntime;
  let read: ReadEntities;
  beforeEach(async () => {
    log = await Log.open(new MemoryAdapter(), eventCatalog);
    runner = runnerOn(log);
    views = new ProjectionRuntime(log, []);
    read = readOffline(language);
  });

  const append = (stream: string, ...events: readonly NewEvent[]) =>
    log.append({ stream, events, expected: 'any', at: NOW, causationId: null, ...context });
  const saga = () =>
    followEpisodes({
      context: () => ({ runner, views }),
      wordsOf: (created) => wordsOfEpisode(log, created),
      offline: readOffline(language),
      read: (words, asking) => read(words, asking),
      liken: async (_known, found) => found,
    });
  /** The saga answers what happened in memory so far, as after a crash that lost its place. */
  const react = async () => {
    const following = saga();
    for (const event of await readAll(log))
      if (following.on.some(({ type }) => type === event.type))
        await answered(following, event, reactionTo(event));
  };
  const reactionTo = (event: StoredEvent): Reaction => ({
    failures: 0,
    signal: new AbortController().signal,
    run: (command, input, { step = command.name } = {}) =>
      runner.run(command, input, { ...context, commandId: `follow:${event.id}:${step}` }),
  });
  const known = () => runner.read(userEntities, entitiesStream('ann'), 'ann');
  const names = async () =>
    wholeEntities(await known())
      .map(({ name }) => name)
      .sort();

  /** A conversation with hark of which episode `e1` tells. */
  const converse = async (text: string, turnId: string | null = null) => {
    const place = { turnId: 't1', sessionId: 's1', conversationId: 'c1' };
    const said = { ...place, platform: 'web', origin: 'user', text, images: [], instanceId: 'i1' };
    await append('session-ann.s1', { type: 'chat.message.received', data: said });
    await append(memoryStream('ann'), anEpisode('e1', { turnId }));
  };

  it('of a conversation with hark is read for names, once', async () => {
    await converse('My sister Mirjam lives in Zandvoort.');
    await react();
    const mirjam = oneNamed(await known(), 'Mirjam');
    assert.deepEqual([mirjam?.name, mirjam?.turnIds, mirjam?.episodeIds], ['Mirjam', ['t1'], ['e1']]);
    assert.ok(wholeRelationships(await known()).some(({ to }) => to === 'user'));
    const before = await log.head();
    await react();
    assert.equal(await log.head(), before);
  });

  it('of one turn is read for what that turn says', async () => {
    await converse('My sister Mirjam lives in Zandvoort.', 't2');
    await react();
    assert.deepEqual(await names(), []);
  });

  it('of one turn is read with no model', async () => {
    read = async () => assert.fail('a model was asked');
    await converse('My sister Mirjam lives in Zandvoort.', 't1');
    await react();
    assert.deepEqual(await names(), ['Mirjam', 'Zandvoort']);
  });

  it('from elsewhere is read by what came with it, or else by its summary, with no model', async () => {
    read = async () => assert.fail('a model was asked');
    const said = { role: 'user', name: null, text: 'My boss Anselm lives in Ghent.', at: NOW };
    await append(
      memoryStream('ann'),
      { type: 'memory.conversation.imported', data: { episodeId: 'e1', sessionId: 's', turns: [said] } },
      anEpisode('e1', { type: 'imported', conversationId: null }),
      anEpisode('e2', {
        type: 'imported',
        conversationId: null,
        summary: 'User: My aunt Ida lives in Bonn. Assistant: My aunt Eva lives in Rome.',
      }),
    );
    await react();
    assert.deepEqual(await names(), ['Anselm', 'Bonn', 'Ghent', 'Ida']);
  });

  it('is passed over of a user who does not want to be remembered', async () => {
    await runner.run(changePreferences, { preferences: { persistMemory: false } }, context);
    await converse('My sister Mirjam lives in Zandvoort.');
    await react();
    assert.deepEqual(await names(), []);
  });

  it('waits five times for a model that is away, and is then read without', async () => {
    const needed: unknown[] = [];
    read = async (words, asking) => {
      needed.push(asking.needsModel);
      if (asking.needsModel) throw new HarkError('MODEL_UNAVAILABLE', { cause: 'network' });
      return readOffline(language)(words, asking);
    };
    await converse('My sister Mirjam lives in Zandvoort.');
    const created = (await readAll(log)).find(({ type }) => type === 'memory.episode.created');
    assert(created);
    // Each time another process: the log counts.
    const answer = () => answered(saga(), created, reactionTo(created));
    for (let n = 0; n < 5; n++)
      await assert.rejects(answer, (error) => error instanceof TryAgainLater && error.afterMs === 60_000);
    assert.deepEqual(await names(), []);
    await answer();
    assert.deepEqual(await names(), ['Mirjam', 'Zandvoort']);
    assert.deepEqual(needed, [true, true, true, true, true, false]);
    const deferred = (await readAll(log)).filter(({ type }) => type === 'entities.reading.deferred');
    assert.deepEqual(
      deferred.map(({ data }) => data),
      [1, 2, 3, 4, 5].map((attempt) => ({ episodeId: 'e1', attempt })),
    );
    assert.deepEqual((await known()).deferrals, {});
  });

  it('holds up none that is read at once while it waits for a model', async () => {
    await converse('My sister Mirjam lives in Zandvoort.');
    await converse('My sister Mirjam lives in Zandvoort.', 't1');
    const [long, quick] = (await readAll(log)).filter(({ type }) => type === 'memory.episode.created');
    assert(long && quick);
    assert.notEqual(saga().key(long), saga().key(quick));
    assert.equal(saga().key(quick), 'ann');
  });

  it('that is erased while it is read comes to nothing', async () => {
    await converse('My sister Mirjam lives in Zandvoort.');
    read = async (words, asking) => {
      const { version } = await runner.run(eraseEpisode, { episodeId: 'e1' }, context);
      await forgetWhatWasErased({ store: log, runner }, { ...context, version });
      return readOffline(language)(words, asking);
    };
    await assert.rejects(react, (error) => isHarkError(error, 'MEMORY_CHANGED'));
    // Tried again, as what fails is.
    await react();
    assert.deepEqual([await names(), (await known()).entities], [[], {}]);
  });

  it('takes what it named along when it is erased, also when only the saga is left to do it', async () => {
    await converse('My sister Mirjam lives in Zandvoort.');
    await react();
    await runner.run(eraseEpisode, { episodeId: 'e1' }, context);
    await react();
    assert.deepEqual((await known()).entities, {});
  });

  it('goes with all of memory, and what is named later stays when that is told again', async () => {
    await converse('My sister Mirjam lives in Zandvoort.');
    await react();
    await runner.run(eraseMemory, {}, context);
    assert.deepEqual(await names(), []);
    await react();
    assert.deepEqual((await known()).entities, {});
    await append(
      memoryStream('ann'),
      anEpisode('e9', { conversationId: null, summary: 'My aunt Ida lives in Bonn.' }),
    );
    await react();
    await react();
    assert.deepEqual(await names(), ['Bonn', 'Ida']);
  });

  it('leaves what it named when its time is over', async () => {
    await converse('My sister Mirjam lives in Zandvoort.');
    await react();
    const expired = { episodes: [{ episodeId: 'e1', conversationId: 'c1' }], next: null };
    await append(memoryStream('ann'), { type: 'memory.episodes.expired', data: expired });
    await react();
    const mirjam = oneNamed(await known(), 'Mirjam');
    assert.deepEqual([mirjam?.name, mirjam?.episodeIds], ['Mirjam', []]);
  });

  it('is the same known anew from the log, whatever was forgotten', async () => {
    await converse('My sister Mirjam lives in Zandvoort.');
    await append(
      memoryStream('ann'),
      anEpisode('e2', { conversationId: null, summary: 'Mirjam called me.' }),
    );
    await react();
    await runner.run(forgetEpisodes, { episodeIds: ['e1'] }, context);
    const anew = await runnerOn(log).read(userEntities, entitiesStream('ann'), 'ann');
    assert.deepEqual(anew, await known());
    assert.deepEqual(
      wholeEntities(anew).map(({ name, episodeIds }) => [name, episodeIds]),
      [['Mirjam', ['e2']]],
    );
  });
});
