import { forgetRecent } from '../../commands/capture/words.ts';
import { type CapturedEpisode, forgetCaptured, isCapturedSince } from '../../commands/memory/captures.ts';
import type { CommandContext, CommandOutcome, CommandRunner } from '../../commands/runner.ts';
import { isHarkError } from '../../errors.ts';
import { captureForgotten, isSince } from '../../events/capture.ts';
import { conclusionsErased } from '../../events/conclusions.ts';
import { isEvent, type NewEvent } from '../../events/definition.ts';
import { conversationImported, episodesErased, type ImportedTurn } from '../../events/episodes.ts';
import { memoryStream } from '../../events/memory.ts';
import type { Episode } from '../../projections/memory/episodes.ts';
import { remembered } from '../../projections/memory/remembered.ts';
import type { UserViews } from '../../projections/runtime.ts';
import type { EventReader } from '../../store/port.ts';
import type { StoredEvent } from '../../store/storedEvent.ts';
import { idOfRest, told } from './episodes.ts';
import type { MakeSense, MediaFiles } from './ports.ts';

interface ForgettingParts {
  readonly store: EventReader;
  readonly runner: CommandRunner;
  readonly views: UserViews;
  readonly files: MediaFiles;
  /** Without a model: it has to come to an end. */
  readonly makeSense: MakeSense;
}

interface Asked extends CommandContext {
  readonly forgetId: string;
  readonly since: number;
  readonly signal: AbortSignal;
}

export interface ForgottenCaptures {
  readonly segments: number;
  readonly episodes: number;
  readonly conclusions: number;
}

/** So often others may get in between. */
const MOST_TRIES = 5;
/** Events of one append, and more than that. */
const MOST_AT_ONCE = 1_000;

/** All that was captured since then, with all that was drawn from it alone. */
export async function forgetCaptures(
  parts: ForgettingParts,
  { forgetId, since, signal, ...context }: Asked,
): Promise<ForgottenCaptures> {
  const { runner, views, files } = parts;
  const { episodes } = await views.of(remembered, context.userId);
  const drawnFrom = Object.values(episodes).flatMap((one) => segmentsSince(one, since));
  const { appended } = await runner.run(forgetRecent, { forgetId, since }, context);
  const waiting = appended.flatMap((event) =>
    isEvent(event, captureForgotten) ? event.data.segmentIds : [],
  );
  await files.remove(context.userId, waiting);
  const drawn = await forgetDrawn(parts, { ...context, forgetId, since, signal });
  return { segments: new Set([...waiting, ...drawnFrom]).size, ...drawn };
}

/** What has become of it in memory. Cut off, it is done by who follows the log. */
export async function forgetDrawn(
  parts: Omit<ForgettingParts, 'files'>,
  { forgetId, since, signal, userId, correlationId }: Asked,
): Promise<Omit<ForgottenCaptures, 'segments'>> {
  const { runner, views } = parts;
  const commandId = `capture-forget:${userId}:${forgetId}`;
  for (let tries = 1; ; tries++) {
    const { episodes } = await views.of(remembered, userId);
    const touched = Object.values(episodes).filter((one) => isCapturedSince(one, since));
    const left = await leftOf(parts, touched, { since, userId, correlationId, signal });
    try {
      const asked = { userId, correlationId, commandId };
      const outcome = await runner.run(forgetCaptured, { since, left }, asked);
      return countIn(await appendedBy(parts.store, memoryStream(userId), outcome));
    } catch (error) {
      if (!isHarkError(error, 'MEMORY_CHANGED') || tries === MOST_TRIES) throw error;
    }
  }
}

/** Who follows the log may have been quicker: then it is what they appended. */
async function appendedBy(
  store: EventReader,
  stream: string,
  { repeated, appended, version }: CommandOutcome,
): Promise<readonly NewEvent[]> {
  if (!repeated) return appended;
  const events: StoredEvent[] = [];
  const fromVersion = Math.max(1, version - MOST_AT_ONCE);
  for await (const page of store.readStream(stream, { fromVersion }))
    events.push(...page.filter((event) => event.version <= version));
  const { correlationId } = events.at(-1) ?? {};
  return events.filter((event) => event.correlationId === correlationId);
}

function segmentsSince({ capture }: Episode, since: number): readonly string[] {
  return (capture?.segments ?? []).filter((one) => isSince(one, since)).map((one) => one.segmentId);
}

function countIn(appended: readonly NewEvent[]) {
  const episodes = appended.flatMap((event) => (isEvent(event, episodesErased) ? event.data.episodes : []));
  const conclusions = appended.flatMap((event) =>
    isEvent(event, conclusionsErased) ? event.data.conclusionIds : [],
  );
  return { episodes: episodes.length, conclusions: conclusions.length };
}

interface Before extends Omit<Asked, 'forgetId'> {}

/** Of each episode, what was captured before; a summary of all of it goes as a whole. */
async function leftOf(
  { store, makeSense }: Pick<ForgettingParts, 'store' | 'makeSense'>,
  touched: readonly Episode[],
  { since, userId, correlationId, signal }: Before,
): Promise<Record<string, CapturedEpisode | null>> {
  const turnsOf = await turnsBehind(store, userId, touched);
  const left: Record<string, CapturedEpisode | null> = {};
  for (const { episodeId, capture, expiresAt } of touched) {
    const kept = (capture?.segments ?? []).map((one) => !isSince(one, since));
    const turns = (turnsOf.get(episodeId) ?? []).filter((_, index) => kept[index]);
    left[episodeId] =
      !capture || turns.length === 0
        ? null
        : await told(
            {
              ...{ episodeId: idOfRest(episodeId, since), turns, expiresAt },
              capture: { ...capture, segments: capture.segments.filter((_, index) => kept[index]) },
            },
            makeSense,
            { userId, correlationId, signal },
          );
  }
  return left;
}

async function turnsBehind(
  store: EventReader,
  userId: string,
  touched: readonly Episode[],
): Promise<ReadonlyMap<string, readonly ImportedTurn[]>> {
  const wanted = new Set(touched.map(({ episodeId }) => episodeId));
  const turns = new Map<string, readonly ImportedTurn[]>();
  if (wanted.size === 0) return turns;
  for await (const events of store.readStream(memoryStream(userId)))
    for (const event of events)
      if (isEvent(event, conversationImported) && wanted.has(event.data.episodeId) && event.data.turns)
        turns.set(event.data.episodeId, event.data.turns);
  return turns;
}
