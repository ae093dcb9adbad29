import { eventCatalog } from '../../src/events/catalog.ts';
import { type MemoryEvent, memoryStream } from '../../src/events/memory.ts';
import { Log } from '../../src/store/log.ts';
import { openAdapter } from '../../src/store/open.ts';
import { Random } from '../../test/support/random.ts';
import { Summaries } from './summaries.ts';

const AT_ONCE = 500;
const DAY_MS = 24 * 60 * 60_000;
const LONG_AGO_MS = 200 * DAY_MS;

export interface Untidy {
  readonly userId: string;
  readonly episodes: number;
  readonly conclusions: number;
  /** Shares of the conclusions. */
  readonly stale: number;
  readonly redundant: number;
  readonly doubtful: number;
  /** Share of the episodes that nothing is concluded from and that do not matter. */
  readonly orphans: number;
}

/** Writes a memory that a sweep has something to do with. */
export async function writeUntidyMemory(folder: string, untidy: Untidy): Promise<void> {
  const store = await Log.open(await openAdapter('embedded', folder), eventCatalog);
  const now = Date.now();
  const who = { userId: untidy.userId, correlationId: 'bench', causationId: null };
  const events = [...episodesOf(untidy, now), ...conclusionsOf(untidy, now)];
  for (let from = 0; from < events.length; from += AT_ONCE) {
    const part = events.slice(from, from + AT_ONCE);
    await store.append({
      stream: memoryStream(untidy.userId),
      events: part,
      expected: 'any',
      at: now,
      ...who,
    });
  }
  await store.close();
}

function* episodesOf({ episodes, orphans }: Untidy, now: number): Generator<MemoryEvent> {
  const place = { sessionId: null, conversationId: null, turnId: null };
  for (let index = 0; index < episodes; index++) {
    const importance = index < episodes * orphans ? 1 : 6;
    const said = { summary: `A talk, number ${index}`, topic: 'talk', keywords: [], importance, reasons: [] };
    const times = { happenedAt: now, expiresAt: Number.MAX_SAFE_INTEGER };
    const data = {
      episodeId: `e${index}`,
      type: 'conversation',
      ...place,
      ...said,
      ...times,
      by: 'offline',
    } as const;
    yield { type: 'memory.episode.created', data };
  }
}

function* conclusionsOf(untidy: Untidy, now: number): Generator<MemoryEvent> {
  const random = new Random(3);
  const texts = textsOf(untidy, random);
  for (const [index, text] of texts.entries()) {
    const at = random.next() < untidy.stale ? now - LONG_AGO_MS : now - DAY_MS;
    const standing = {
      createdAt: at,
      updatedAt: at,
      lastEvidenceAt: at,
      stale: false,
      status: 'active',
      supersededBy: null,
      contradicts: [],
    } as const;
    const confidence = random.next() < untidy.doubtful ? 0.2 : 0.6 + random.next() * 0.4;
    // The first episodes are mentioned by nothing.
    const source = `e${untidy.episodes - 1 - (index % Math.ceil(untidy.episodes / 2))}`;
    const data = {
      conclusionId: `c${index}`,
      text,
      type: 'inferred',
      confidence,
      sources: [source],
      turnIds: [],
      about: null,
      by: 'offline',
      standing,
    } as const;
    yield { type: 'memory.conclusion.drawn', data };
  }
}

/** Of 8 to 20 words; some are another one with a word more, or a word that is another. */
export function textsOf(
  { conclusions, redundant }: Pick<Untidy, 'conclusions' | 'redundant'>,
  random: Random,
): readonly string[] {
  const summaries = new Summaries();
  const texts = Array.from({ length: conclusions }, () => summaries.text(random.whole(8, 21)));
  for (let index = 0; index < conclusions * redundant; index++) {
    const words = texts[random.whole(0, conclusions)]?.split(' ') ?? [];
    const at = random.next() < 0.5 ? random.whole(0, words.length) : words.length;
    words[at] = summaries.text(1);
    texts[index] = words.join(' ');
  }
  return texts;
}
