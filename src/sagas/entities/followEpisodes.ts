import { expireEpisodes, forgetEpisodes } from '../../commands/entities/forgetting.ts';
import { deferReading, recordEntities } from '../../commands/entities/recordEntities.ts';
import type { CommandRunner } from '../../commands/runner.ts';
import { entryOf } from '../../entryOf.ts';
import { type EventOf, isEvent } from '../../events/definition.ts';
import { episodeCreated, episodesErased, episodesExpired } from '../../events/episodes.ts';
import { memoryErased } from '../../events/memory.ts';
import { knownEntities } from '../../projections/entities/knownEntities.ts';
import { remembered } from '../../projections/memory/remembered.ts';
import type { UserViews } from '../../projections/runtime.ts';
import { preferences } from '../../projections/settings/preferences.ts';
import type { StoredEvent } from '../../store/storedEvent.ts';
import { isModelAway, modelsAway } from '../retryPolicy.ts';
import { defineSaga, type Reaction, type Saga, TryAgainLater } from '../saga.ts';
import type { FindLikeness } from './likeness.ts';
import type { ReadEntities, WordsOfEpisode } from './ports.ts';

/** A model that is away is waited for so often; a restart in between changes nothing, since the log counts. */
const MOST_DEFERRALS = 5;
const DEFERRED_FOR_MS = 60_000;

interface FollowOptions {
  /** What stands while the saga runs. */
  readonly context: () => { readonly runner: CommandRunner; readonly views: UserViews };
  readonly wordsOf: WordsOfEpisode;
  readonly read: ReadEntities;
  /** With no model, for single turns and for what was imported: that may be more than anybody wants to pay for. */
  readonly offline: ReadEntities;
  readonly liken: FindLikeness;
}

/**
 * Keeps entities in step with the episodes that name them: found when one is created, gone when it is erased. What is
 * read with a model waits for one that is away, though not for ever, and holds up nothing else of its user.
 */
export function followEpisodes(options: FollowOptions): Saga {
  return defineSaga({
    name: 'follow-episodes',
    on: [episodeCreated, episodesErased, episodesExpired, memoryErased],
    retry: { tries: 6, awaits: modelsAway },
    key: (event) => (isReadWithModel(event) ? `${event.userId} with a model` : event.owner),
    async react(event, reaction) {
      if (isEvent(event, episodesErased)) await reaction.run(forgetEpisodes, { episodeIds: idsIn(event) });
      else if (isEvent(event, episodesExpired))
        await reaction.run(expireEpisodes, { episodeIds: idsIn(event) });
      else if (isEvent(event, memoryErased)) await reaction.run(forgetEpisodes, { episodeIds: 'all' });
      else if (isEvent(event, episodeCreated)) await readEpisode(options, event, reaction);
    },
  });
}

function idsIn({ data }: EventOf<typeof episodesErased | typeof episodesExpired>): readonly string[] {
  return data.episodes.map(({ episodeId }) => episodeId);
}

async function readEpisode(
  { context, wordsOf, read, offline, liken }: FollowOptions,
  event: StoredEvent & EventOf<typeof episodeCreated>,
  { run, signal }: Reaction,
): Promise<void> {
  const userId = event.owner;
  const { episodeId, type, conversationId, happenedAt } = event.data;
  const { views } = context();
  const knownNow = () => views.of(knownEntities, userId);
  const { erasures, read: done, deferrals } = await knownNow();
  // Looked at after that: an episode that is erased from here on makes the record be refused.
  const { episodes } = await views.of(remembered, userId);
  if (!Object.hasOwn(episodes, episodeId) || Object.hasOwn(done, episodeId)) return;
  const { effective } = await views.of(preferences, userId);
  if (!effective.persistMemory) return;
  const words = await wordsOf(event);
  if (words.length === 0) return;
  const isThorough = isReadWithModel(event);
  const deferred = entryOf(deferrals, episodeId) ?? 0;
  const needsModel = isThorough && deferred < MOST_DEFERRALS;
  const asking = { userId, correlationId: event.correlationId, signal, needsModel };
  try {
    const found = await (isThorough ? read : offline)(words, asking);
    const entities =
      type === 'imported' ? found.entities : await liken(await knownNow(), found.entities, asking);
    const witness = { episodeId, conversationId, seenAt: happenedAt };
    await run(recordEntities, { ...found, ...witness, entities, erasures });
  } catch (error) {
    if (!needsModel || !isModelAway(error)) throw error;
    await run(deferReading, { episodeId }, { step: `defer-${deferred + 1}` });
    throw new TryAgainLater(DEFERRED_FOR_MS);
  }
}

/** Not one turn, which is read after its reply, and again with its conversation; and nothing from elsewhere. */
function isReadWithModel(event: StoredEvent): boolean {
  return isEvent(event, episodeCreated) && event.data.turnId === null && event.data.type !== 'imported';
}
