import { randomUUID } from 'node:crypto';
import { forgetCaptures } from '../../../src/application/capture/forgetting.ts';
import { type Segment, SegmentIntake } from '../../../src/application/capture/intake.ts';
import type { IntoWords, MakeSense } from '../../../src/application/capture/ports.ts';
import { rememberWords } from '../../../src/application/capture/remembering.ts';
import { setConsent } from '../../../src/commands/capture/consent.ts';
import { startStream, stopStream } from '../../../src/commands/capture/streams.ts';
import type { Command } from '../../../src/commands/command.ts';
import { StoreCommandRunner } from '../../../src/commands/runner.ts';
import { eventCatalog } from '../../../src/events/catalog.ts';
import { readConversation } from '../../../src/language/readConversation.ts';
import { captures } from '../../../src/projections/capture/captures.ts';
import { remembered } from '../../../src/projections/memory/remembered.ts';
import { ProjectionRuntime } from '../../../src/projections/runtime.ts';
import { understandOffline } from '../../../src/sagas/memory/understanding.ts';
import { Log } from '../../../src/store/log.ts';
import { MemoryAdapter } from '../../../src/store/memory/adapter.ts';
import type { CaptureMode, ConsentLevel } from '../../../src/vocabulary.ts';
import { FilesInMemory } from '../../support/filesInMemory.ts';
import { NOW } from '../../support/given.ts';

const MINUTE = 60_000;
export const USER = 'ann';
const signal = new AbortController().signal;
const asked = { userId: USER, correlationId: 'test' };

/** As the service reads words when there is no model. */
export const makeSense: MakeSense = understandOffline({
  readConversation: async (conversation) => readConversation(conversation),
});

/** One user whose kitchen may be listened to, over a log in memory, at a clock of its own. */
const notAvailable: IntoWords = { isAvailable: async () => false, wordsOf: async () => '' };

export async function world(level: ConsentLevel, mode: CaptureMode, audio: IntoWords = notAvailable) {
  let now = NOW;
  const store = await Log.open(new MemoryAdapter(), eventCatalog);
  const runner = new StoreCommandRunner({ store, clock: () => now, newId: randomUUID });
  const views = new ProjectionRuntime(store, []);
  const files = new FilesInMemory();
  const clock = () => now;
  const intake = new SegmentIntake({
    context: () => ({ runner, views }),
    ...{ files, clock },
    engines: { audio, video: notAvailable },
    retentionMs: () => 30 * 24 * 60 * MINUTE,
  });
  const run = <Input, State>(command: Command<Input, State>, input: Input) =>
    runner.run(command, input, asked);
  await run(setConsent, { deviceId: 'kitchen', enabled: true, level });
  const streamId = randomUUID();
  const modalities = ['audio', 'video', 'neural'] as const;
  const starting = { streamId, userId: USER, deviceId: 'kitchen', modalities, mode, by: 'user' as const };
  await run(startStream, starting);
  const parts = { store, runner, views, files, makeSense };
  return {
    ...{ store, runner, views, files, streamId, run },
    take: (given: Partial<Segment> & Pick<Segment, 'material'>) =>
      intake.take(
        {
          ...{ streamId, segmentId: randomUUID(), modality: 'audio', startedAt: now, durationMs: 0 },
          ...given,
        },
        { ...asked, signal },
      ),
    say: (text: string, speaker?: string) =>
      intake.take(
        {
          ...{ streamId, segmentId: randomUUID(), modality: 'audio', startedAt: now, durationMs: 0 },
          ...{ speaker, material: { is: 'text', text } },
        },
        { ...asked, signal },
      ),
    pass: (ms: number) => {
      now += ms;
    },
    stop: () => run(stopStream, { streamId, because: 'asked' }),
    async batches() {
      return (await views.of(captures, USER)).batches.map(({ episodeId }) => episodeId);
    },
    /** All words that wait become episodes. */
    async remember(how: MakeSense = makeSense, by: Pick<StoreCommandRunner, 'run' | 'read'> = runner) {
      for (const { episodeId } of [...(await views.of(captures, USER)).batches])
        await rememberWords(
          { runner: by, views, makeSense: how, expiresAt: now + MINUTE },
          { userId: USER, episodeId, signal },
        );
    },
    forget: (ms: number) =>
      forgetCaptures(parts, { ...asked, forgetId: randomUUID(), since: now - ms, signal }),
    memory: () => views.of(remembered, USER),
    /** All that anybody can read of the log. */
    async told() {
      const events: string[] = [];
      for await (const page of store.readAll({ after: 0 }))
        for (const event of page.events) events.push(JSON.stringify(event));
      return events.join('\n');
    },
  };
}
