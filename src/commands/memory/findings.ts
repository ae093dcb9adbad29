import type { EventOf } from '../../events/definition.ts';
import type { conclusionDrawn, MemoryEvent } from '../../events/memory.ts';
import { factKey } from '../../language/sameFact.ts';
import type { Conclusion } from './remembered.ts';
import type { UserMemory } from './state.ts';

type Drawn = EventOf<typeof conclusionDrawn>['data'];

/** Something about the user that was found in what they said. */
export interface Finding extends Pick<Drawn, 'type' | 'confidence' | 'about' | 'by' | 'turnIds'> {
  readonly text: string;
}

interface Evidence {
  /** What it was found in; none where the user said it to us directly. */
  readonly episodeId: string | null;
  readonly conversationId: string | null;
  /** When a finding was said, where that was long before it came here: what was said later is believed on. */
  readonly saidAt?: (finding: Finding) => number;
}

/** How much of the doubt that is left each further source takes away. */
const LESS_DOUBT = 0.3;
const MOST_CONFIDENCE = 0.99;

/**
 * What findings mean for what is believed already: the same again makes it more certain, another word on the same
 * takes its place, and anything else is new. Findings of one conversation count once.
 */
export function settleFindings(
  memory: UserMemory,
  findings: readonly Finding[],
  evidence: Evidence,
  newId: () => string,
): readonly MemoryEvent[] {
  return findings.filter(isLastOfItsKind).flatMap((finding) => {
    const known = activeOnes(memory).find((one) => isSame(one, finding));
    if (known) return strengthen(memory, known, finding, evidence);
    const conclusionId = newId();
    const sources = evidence.episodeId === null ? [] : [evidence.episodeId];
    const replaced = activeOnes(memory).filter((one) => one.about !== null && one.about === finding.about);
    const said = evidence.saidAt && { saidAt: evidence.saidAt(finding) };
    const later = said && replaced.find(({ lastEvidenceAt }) => lastEvidenceAt > said.saidAt);
    return [
      { type: 'memory.conclusion.drawn', data: { conclusionId, ...finding, sources, ...said } },
      ...(later
        ? [supersede(conclusionId, later.id)]
        : replaced.map(({ id }) => supersede(id, conclusionId))),
    ];
  });
}

/** Of several on the same the last one counts, and the same is told once. */
function isLastOfItsKind(finding: Finding, index: number, all: readonly Finding[]): boolean {
  const later = all.slice(index + 1);
  return !later.some(
    (other) => isSame(other, finding) || (finding.about !== null && finding.about === other.about),
  );
}

export function supersede(conclusionId: string, supersededBy: string): MemoryEvent {
  return { type: 'memory.conclusion.superseded', data: { conclusionId, supersededBy } };
}

export function activeOnes({ conclusions }: UserMemory): readonly Conclusion[] {
  return Object.values(conclusions).filter(({ status }) => status === 'active');
}

/** Only what comes from elsewhere makes a belief more certain. */
function strengthen(
  memory: UserMemory,
  known: Conclusion,
  finding: Finding,
  { episodeId, conversationId, saidAt }: Evidence,
): readonly MemoryEvent[] {
  if (episodeId === null) return [];
  const isKnown = known.sources.some(
    (id) =>
      id === episodeId || (conversationId !== null && memory.episodes[id]?.conversationId === conversationId),
  );
  if (isKnown) return [];
  const confidence = Math.min(MOST_CONFIDENCE, known.confidence + (1 - known.confidence) * LESS_DOUBT);
  const sources = [...known.sources, episodeId];
  const turnIds = [...known.turnIds, ...finding.turnIds];
  const said = saidAt && { saidAt: saidAt(finding) };
  const data = { conclusionId: known.id, confidence, sources, turnIds, ...said };
  return [{ type: 'memory.conclusion.strengthened', data }];
}

function isSame(one: Sayable, other: Sayable): boolean {
  return one.text !== null && other.text !== null && keyOf(one) === keyOf(other);
}

type Sayable = Pick<Conclusion, 'text'>;

/** A belief is compared with everything that is found, and there may be thousands of them. */
const keys = new WeakMap<Sayable, { readonly text: string | null; readonly key: string }>();

function keyOf(one: Sayable): string {
  const known = keys.get(one);
  if (known && known.text === one.text) return known.key;
  const key = factKey(one.text ?? '');
  keys.set(one, { text: one.text, key });
  return key;
}

/** What is written the same has the same. Where there is no word, it is the text itself. */
export function gistOf(text: string): string {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu);
  return words?.join(' ') ?? text;
}
