import { gatherWords, settleWords } from '../../commands/capture/words.ts';
import { rememberCapture } from '../../commands/memory/captures.ts';
import { userMemory } from '../../commands/memory/state.ts';
import type { CommandRunner } from '../../commands/runner.ts';
import { entryOf } from '../../entryOf.ts';
import { captureStream } from '../../events/capture.ts';
import { memoryStream } from '../../events/memory.ts';
import { capturesState } from '../../folds/capture/captures.ts';
import type { Captures } from '../../folds/capture/state.ts';
import type { UserViews } from '../../projections/runtime.ts';
import { preferences } from '../../projections/settings/preferences.ts';
import { episodeOf } from './episodes.ts';
import type { MakeSense } from './ports.ts';

interface RememberingOptions {
  readonly runner: CommandRunner;
  readonly views: UserViews;
  readonly makeSense: MakeSense;
  readonly expiresAt: number;
}

interface Which {
  readonly userId: string;
  readonly episodeId: string;
  readonly signal: AbortSignal;
}

/**
 * Makes an episode of captured words. Which words those are is in the log before they are read, and so is the episode
 * before they are let go: cut off anywhere, it comes to the same when it is asked for again.
 */
export async function rememberWords(
  { runner, views, makeSense, expiresAt }: RememberingOptions,
  { userId, episodeId, signal }: Which,
): Promise<void> {
  const context = { userId, correlationId: episodeId };
  await runner.run(gatherWords, { episodeId }, context);
  // Before the words: what is forgotten from here on makes the episode be refused.
  const { erasures } = await runner.read(userMemory, memoryStream(userId), userId);
  const state = await runner.read<Captures>(capturesState, captureStream(userId), userId);
  const batch = state.batches.find((one) => one.episodeId === episodeId);
  if (!batch) return;
  const stream = entryOf(state.streams, batch.streamId);
  const { effective } = await views.of(preferences, userId);
  if (!stream || batch.words.length === 0 || !effective.persistMemory) {
    await runner.run(settleWords, { episodeId, as: 'nothing' }, context);
    return;
  }
  const as = stream.mode === 'ambient' ? 'summary' : 'episode';
  const told = { batch: { episodeId, words: [...batch.words] }, stream: { ...stream }, expiresAt };
  const episode = await episodeOf(told, makeSense, { ...context, signal });
  const commandId = `capture:${userId}:${episodeId}`;
  await runner.run(rememberCapture, { ...episode, erasures }, { ...context, commandId });
  await runner.run(settleWords, { episodeId, as }, context);
}
