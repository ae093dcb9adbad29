import { createHash } from 'node:crypto';
import type { CapturedEpisode } from '../../commands/memory/captures.ts';
import type { ImportedTurn } from '../../events/episodes.ts';
import type { Batch, CapturedWords, CapturingStream } from '../../folds/capture/state.ts';
import type { MakeSense } from './ports.ts';

/** A device may tell another time than it is: words are from the day before they came, or from then. */
const LONGEST_WAY_MS = 24 * 60 * 60_000;
const LONGEST_BEGINNING = 200;
/** What was heard in passing weighs less than what is said to somebody. */
const MOST_CONFIDENCE_IN_PASSING = 0.7;

type Asking = Parameters<MakeSense>[1];

export interface ToldWords {
  readonly batch: Pick<Batch, 'episodeId' | 'words'>;
  readonly stream: Pick<CapturingStream, 'streamId' | 'deviceId' | 'mode'>;
  readonly expiresAt: number;
}

/** What captured words come to, as one episode. Only what the user said themselves is read for what it says of them. */
export async function episodeOf(
  { batch, stream, expiresAt }: ToldWords,
  makeSense: MakeSense,
  asking: Asking,
): Promise<CapturedEpisode> {
  const inOrder = batch.words.toSorted((one, other) => saidAt(one) - saidAt(other));
  const turns = inOrder.map(turnOf);
  return told(
    {
      ...{ episodeId: batch.episodeId, turns, expiresAt },
      capture: { ...placeOf(stream), segments: inOrder.map(segmentOf) },
    },
    makeSense,
    asking,
  );
}

type Capture = NonNullable<CapturedEpisode['episode']['capture']>;

export interface ToldTurns {
  readonly episodeId: string;
  readonly turns: readonly ImportedTurn[];
  readonly capture: Capture;
  readonly expiresAt: number;
}

/** The same of turns that were captured before. */
export async function told(
  { episodeId, turns, capture, expiresAt }: ToldTurns,
  makeSense: MakeSense,
  asking: Asking,
): Promise<CapturedEpisode> {
  const words = turns.map((turn, index) => ({ turnId: `${index}`, ...turn }));
  const { findings, summary, topic, keywords, importance, reasons, by } = await makeSense(words, asking);
  const isOwn = (index: string) => turns[Number(index)]?.role === 'user';
  const inPassing = capture.mode !== 'active-participant';
  const own = findings
    .filter(({ turnIds }) => turnIds.length > 0 && turnIds.every(isOwn))
    .map((finding) =>
      inPassing
        ? { ...finding, confidence: Math.min(finding.confidence, MOST_CONFIDENCE_IN_PASSING) }
        : finding,
    );
  const episode = {
    ...{ topic, keywords, importance, reasons, by },
    // Of small talk there is nothing to sum up, and yet it is to be known by something.
    summary: summary || (turns[0]?.text.slice(0, LONGEST_BEGINNING) ?? ''),
    type: 'CAPTURE' as const,
    ...{ sessionId: null, conversationId: null, turnId: null },
    happenedAt: turns.at(-1)?.at ?? 0,
    expiresAt,
    capture,
  };
  const isSummarized = capture.mode === 'ambient';
  return { episodeId, turns: isSummarized ? null : turns, episode, findings: own };
}

/** The id of what is left of an episode: the same whenever it is asked for. */
export function idOfRest(episodeId: string, since: number): string {
  return createHash('sha256').update(`${episodeId} before ${since}`).digest('hex').slice(0, 32);
}

function turnOf(words: CapturedWords): ImportedTurn {
  const { speaker, described, text } = words;
  const isOwn = speaker === 'user' && !described;
  const name = described ? 'picture' : speaker;
  return { role: isOwn ? 'user' : 'assistant', name: isOwn ? null : name, text, at: saidAt(words) };
}

function saidAt({ startedAt, at }: Pick<CapturedWords, 'startedAt' | 'at'>): number {
  return startedAt <= at && startedAt > at - LONGEST_WAY_MS ? startedAt : at;
}

function segmentOf({ segmentId, at, startedAt, durationMs }: CapturedWords): Capture['segments'][number] {
  return { segmentId, at, startedAt, durationMs };
}

function placeOf({ streamId, deviceId, mode }: ToldWords['stream']) {
  return { streamId, deviceId, mode };
}
