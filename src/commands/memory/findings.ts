import { entryOf } from '../../entryOf.ts';
import type { conclusionDrawn, SupersededBecause } from '../../events/conclusions.ts';
import type { EventOf } from '../../events/definition.ts';
import type { MemoryEvent } from '../../events/memory.ts';
import { activeOnes, type Conclusion } from '../../folds/memory/conclusion.ts';
import type { Conclusions } from '../../folds/memory/conclusions.ts';
import { talkOf } from '../../folds/memory/talk.ts';
import { isDenied } from '../../language/denial.ts';
import { speaksOf } from '../../language/forgotten.ts';
import type { KnownEpisodes } from './episodes.ts';
import { isSameFact, takingPlaceOf } from './replacing.ts';

/** What is believed, and what it rests on. */
type Believed = Pick<KnownEpisodes, 'episodes'> & Pick<Conclusions, 'conclusions'>;
type Drawn = EventOf<typeof conclusionDrawn>['data'];

/** Something about the user that was found in what they said. */
export interface Finding
  extends Pick<Drawn, 'type' | 'confidence' | 'about' | 'by' | 'turnIds' | 'value' | 'negated'> {
  readonly text: string;
  /** What it says was wrong: "not Jon but John". */
  readonly replaces?: string;
  /** Beliefs that it was held against when it was found, and how it stands to them. */
  readonly relation?: { readonly to: readonly string[]; readonly as: Exclude<RelationToBelief, 'new'> };
}

/** How something that is found stands to what is believed. */
export const relations = ['new', 'same', 'replaces', 'contradicts', 'ended'] as const;
type RelationToBelief = (typeof relations)[number];

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
  memory: Believed,
  found: readonly Finding[],
  evidence: Evidence,
  newId: () => string,
): readonly MemoryEvent[] {
  const findings = found.map((finding) => onSameMatter(memory, finding));
  const settled = findings
    .filter(isLastOfItsKind)
    .map((finding) => ({ finding, ...settle(memory, finding, evidence, newId) }));
  const corrected = findings.flatMap((finding) => {
    const by = settled.find((one) => one.finding !== finding && corrects(one.finding, finding));
    const isKnown = Object.values(memory.conclusions).some((one) => isSameFact(one, finding));
    if (!by || isKnown) return [];
    const conclusionId = newId();
    return [draw(conclusionId, finding, evidence), supersede(conclusionId, by.conclusionId, 'corrected')];
  });
  return [...corrected, ...supersededOnce(settled.flatMap(({ events }) => events))];
}

/** Of several that replace the same belief, the first takes its place. */
function supersededOnce(events: readonly MemoryEvent[]): readonly MemoryEvent[] {
  const gone = new Set<string>();
  return events.filter((event) => {
    if (event.type !== 'memory.conclusion.superseded') return true;
    const { conclusionId } = event.data;
    return !gone.has(conclusionId) && gone.add(conclusionId);
  });
}

function settle(memory: Believed, finding: Finding, evidence: Evidence, newId: () => string) {
  const active = activeOnes(memory);
  const isNamed = (...as: readonly RelationToBelief[]) => {
    const { relation } = finding;
    const named = new Set(relation && as.includes(relation.as) ? relation.to : []);
    return ({ id }: Conclusion) => named.has(id);
  };
  const isOutdone = isNamed('replaces', 'ended');
  const known =
    active.find((one) => isSameFact(one, finding)) ??
    active.find(isNamed('same')) ??
    active.find((one) => !isOutdone(one) && isSaidBy(memory, one, finding, evidence));
  const isReplaced = takingPlaceOf(finding);
  const replaced = active.filter((one) => one !== known && (isOutdone(one) || isReplaced(one)));
  const opposed = active
    .filter((one) => one !== known && !replaced.includes(one))
    .filter(isNamed('contradicts'));
  const because = reasonOf(finding);
  const saidAt = evidence.saidAt?.(finding) ?? Number.POSITIVE_INFINITY;
  const older = replaced.filter(({ lastEvidenceAt }) => lastEvidenceAt <= saidAt);
  if (known) {
    const events = [
      ...strengthen(memory, known, finding, evidence),
      ...older.map(({ id }) => supersede(id, known.id, because)),
      ...opposed.map(({ id }) => contradict(known.id, id)),
    ];
    return { conclusionId: known.id, events };
  }
  const conclusionId = newId();
  const later = replaced.find((one) => !older.includes(one));
  const superseded = later
    ? [supersede(conclusionId, later.id, 'replaced')]
    : older.map(({ id }) => supersede(id, conclusionId, because));
  const contradicted = opposed.map(({ id }) => contradict(conclusionId, id));
  return { conclusionId, events: [draw(conclusionId, finding, evidence), ...superseded, ...contradicted] };
}

/** What takes the place of a belief is about the same, so that a later word on that takes its place in turn. */
function onSameMatter({ conclusions }: Believed, finding: Finding): Finding {
  const { relation, about } = finding;
  if (about !== null || (relation?.as !== 'replaces' && relation?.as !== 'ended')) return finding;
  const [of, ...others] = new Set(relation.to.map((id) => entryOf(conclusions, id)?.about ?? null));
  return of == null || others.length > 0 ? finding : { ...finding, about: of };
}

function reasonOf({ type, negated, relation }: Finding): SupersededBecause {
  if (relation?.as === 'ended' || negated === true) return 'ended';
  return type === 'corrected' ? 'corrected' : 'replaced';
}

/** What was remembered when it was said: a model that reads the same words later finds it in other ones. */
function isSaidBy(memory: Believed, known: Conclusion, finding: Finding, evidence: Evidence): boolean {
  const { by, text, type } = finding;
  return (
    by === 'model' &&
    type !== 'corrected' &&
    isOfSameTurns(memory, known, finding, evidence) &&
    known.text !== null &&
    isDenied(known.text) === isDenied(text) &&
    speaksOf(known.text, text)
  );
}

function isOfSameTurns(
  memory: Believed,
  known: Conclusion,
  { turnIds }: Finding,
  evidence: Evidence,
): boolean {
  const isHere = known.sources.length === 0 || isFrom(memory, known, evidence);
  return isHere && turnIds.length > 0 && turnIds.every((id) => known.turnIds.includes(id));
}

function isFrom(
  { episodes }: Believed,
  { sources }: Conclusion,
  { episodeId, conversationId }: Evidence,
): boolean {
  return sources.some((id) => {
    const source = episodes[id];
    return id === episodeId || (conversationId !== null && source && talkOf(source) === conversationId);
  });
}

/** What is corrected in the same breath was believed for a moment, and can be looked up as such. */
function corrects(later: Finding, finding: Finding): boolean {
  return later.type === 'corrected' && !isSameFact(later, finding) && takingPlaceOf(later)(finding);
}

function draw(conclusionId: string, finding: Finding, { episodeId, saidAt }: Evidence): MemoryEvent {
  const { replaces: _replaces, relation: _relation, ...found } = finding;
  const sources = episodeId === null ? [] : [episodeId];
  const moment = saidAt && { saidAt: saidAt(finding) };
  return { type: 'memory.conclusion.drawn', data: { conclusionId, ...found, sources, ...moment } };
}

/** Of several on the same the last one counts, and the same is told once. */
function isLastOfItsKind(finding: Finding, index: number, all: readonly Finding[]): boolean {
  const later = all.slice(index + 1);
  return !later.some((other) => isSameFact(other, finding) || takingPlaceOf(other)(finding));
}

export function supersede(
  conclusionId: string,
  supersededBy: string,
  because: SupersededBecause,
): MemoryEvent {
  return { type: 'memory.conclusion.superseded', data: { conclusionId, supersededBy, because } };
}

function contradict(conclusionId: string, contradicts: string): MemoryEvent {
  return { type: 'memory.conclusion.contradicted', data: { conclusionId, contradicts } };
}

/** Only what comes from elsewhere makes a belief more certain. */
function strengthen(
  memory: Believed,
  known: Conclusion,
  finding: Finding,
  evidence: Evidence,
): readonly MemoryEvent[] {
  const { episodeId, saidAt } = evidence;
  if (episodeId === null || isFrom(memory, known, evidence)) return [];
  const isSame = isOfSameTurns(memory, known, finding, evidence);
  const more = Math.min(MOST_CONFIDENCE, known.confidence + (1 - known.confidence) * LESS_DOUBT);
  const confidence = isSame ? known.confidence : more;
  const sources = [...known.sources, episodeId];
  const turnIds = [...new Set([...known.turnIds, ...finding.turnIds])];
  const moment = saidAt && { saidAt: saidAt(finding) };
  const data = { conclusionId: known.id, confidence, sources, turnIds, ...moment };
  return [{ type: 'memory.conclusion.strengthened', data }];
}

/** What is written the same has the same. Where there is no word, it is the text itself. */
export function gistOf(text: string): string {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu);
  return words?.join(' ') ?? text;
}
