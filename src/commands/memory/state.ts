import { conclusionEmbedded } from '../../events/conclusions.ts';
import {
  conversationImported,
  type MemoryEvent,
  type Profile,
  readMemoryEvent,
  vectorsMade,
} from '../../events/memory.ts';
import { modelName } from '../../events/providers.ts';
import type { PastEvent, StateDefinition } from '../command.ts';
import { addOwnEvidence } from './absorbed.ts';
import { type Arriving, arrivingAfter } from './arriving.ts';
import { change, type DataOf } from './remembered.ts';
import { applySweep, forgetConclusion, noUpkeep, restore, type Tended, takeOver } from './upkeep.ts';

/** All that is remembered of one user. */
export interface UserMemory extends Tended {
  /** By episode that is yet to come, which of its words are there. */
  readonly arriving: Record<string, Arriving>;
  /** What asked without the user, and has left its episode. */
  readonly prompted: Record<string, true>;
  /** Conversations whose end has been dealt with. */
  readonly consolidated: Record<string, true>;
  /** Of conversations that go on, the last turn of what has been dealt with. */
  readonly settledUpTo: Record<string, string>;
  /** By model, the episodes whose vectors it has made; the vectors themselves are in the log. */
  readonly embedded: Record<string, Record<string, true>>;
  /** By model, the conclusions whose vectors it has made, and whether it has made those of the profile as it is. */
  readonly embeddedConclusions: Record<string, Record<string, true>>;
  readonly embeddedProfile: Record<string, true>;
  profile: Profile;
  /** How often anything was erased: what was read before may be what is not to be known any more. */
  erasures: number;
  /** Up to this position of the log, conversations that ended have been looked through for what is kept too long. */
  lookedOver: number;
}

/** The state of the `memory-<user>` stream, for decisions as for readers. It is changed in place. */
export const userMemory: StateDefinition<UserMemory> = {
  name: 'userMemory',
  version: 9,
  get initial(): UserMemory {
    const upkeep = noUpkeep();
    return {
      episodes: {},
      conclusions: {},
      arriving: {},
      prompted: {},
      consolidated: {},
      settledUpTo: {},
      embedded: {},
      embeddedConclusions: {},
      embeddedProfile: {},
      profile: {},
      erasures: 0,
      lookedOver: 0,
      upkeep,
    };
  },
  evolve(memory: UserMemory, stored: PastEvent): UserMemory {
    memory.upkeep.events++;
    // Of vectors and imported words it is enough that they are there: to open them would take as long as all the rest.
    const { sealed } = stored;
    if (sealed && stored.type === vectorsMade.type) {
      if (!sealed.erased) markEmbedded(memory, vectorsMade.data.parse(sealed.data));
      return memory;
    }
    if (sealed && stored.type === conclusionEmbedded.type) {
      if (!sealed.erased) markConclusion(memory, conclusionEmbedded.data.parse(sealed.data));
      return memory;
    }
    if (sealed && stored.type === conversationImported.type) {
      if (!sealed.erased) arrive(memory, conversationImported.data.parse(sealed.data));
      return memory;
    }
    const event = readMemoryEvent(stored);
    if (event) apply(memory, event, stored.at);
    return memory;
  },
};

export function memoryStream(userId: string): string {
  return `memory-${userId}`;
}

function apply(memory: UserMemory, event: MemoryEvent, at: number): void {
  const { episodes, conclusions, consolidated, prompted } = memory;
  switch (event.type) {
    case 'memory.conversation.imported':
      if (event.data.turns !== null) arrive(memory, event.data);
      return;
    case 'memory.consolidation.asked':
    case 'memory.consolidation.deferred':
      return;
    case 'memory.conclusion.embedded':
      if (event.data.vector !== null) markConclusion(memory, event.data);
      return;
    case 'memory.profile.embedded':
      if (event.data.vectors !== null) memory.embeddedProfile[modelName(event.data)] = true;
      return;
    case 'memory.episode.created':
      delete memory.arriving[event.data.episodeId];
      if (event.data.source !== undefined) prompted[event.data.source] = true;
      if (event.data.summary !== null)
        episodes[event.data.episodeId] = { createdAt: at, flagged: false, ...event.data };
      return;
    case 'memory.vectors.made':
      if (event.data.vectors !== null) markEmbedded(memory, event.data);
      return;
    case 'memory.episodes.erased':
    case 'memory.episodes.expired':
      memory.erasures++;
      for (const { episodeId } of event.data.episodes) forget(memory, episodeId);
      return;
    case 'memory.conversations.expired':
      memory.erasures++;
      memory.lookedOver = event.data.upTo;
      for (const id of event.data.settled ?? []) consolidated[id] = true;
      return;
    case 'memory.conclusion.drawn':
      if (event.data.text !== null) draw(memory, event.data, at);
      return;
    case 'memory.conclusion.strengthened': {
      const { conclusionId, confidence, sources, turnIds, saidAt = at } = event.data;
      const known = conclusions[conclusionId];
      if (!known) return;
      const evidence = { sources, turnIds, lastEvidenceAt: Math.max(known.lastEvidenceAt, saidAt) };
      const stale = known.stale && saidAt <= known.lastEvidenceAt;
      addOwnEvidence(memory.upkeep.absorbed, known, { ...evidence, lastEvidenceAt: saidAt });
      change(conclusions, conclusionId, at, { confidence, ...evidence, stale });
      return;
    }
    case 'memory.conclusion.superseded': {
      const { conclusionId, supersededBy } = event.data;
      change(conclusions, conclusionId, at, { status: 'merged', supersededBy });
      return;
    }
    case 'memory.conclusion.restored':
      restore(memory, event.data.conclusionId, at);
      return;
    case 'memory.conclusions.erased':
      memory.erasures++;
      for (const id of event.data.conclusionIds) {
        forgetConclusion(memory, id);
        for (const known of Object.values(memory.embeddedConclusions)) delete known[id];
      }
      return;
    case 'memory.conversation.consolidated':
      settle(memory, event.data);
      return;
    case 'memory.profile.changed':
      memory.profile = { ...memory.profile, ...event.data.profile };
      for (const model of Object.keys(memory.embeddedProfile)) delete memory.embeddedProfile[model];
      return;
    case 'memory.erased':
      Object.assign(memory, userMemory.initial, {
        consolidated,
        erasures: memory.erasures + 1,
        lookedOver: memory.lookedOver,
        // A sweep that goes on comes to its end, although it finds nothing any more.
        upkeep: { ...noUpkeep(), sweep: memory.upkeep.sweep, events: memory.upkeep.events },
      });
      return;
    default:
      applySweep(memory, event, at);
  }
}

function settle(
  { consolidated, settledUpTo }: UserMemory,
  { conversationId, upTo }: DataOf<'memory.conversation.consolidated'>,
): void {
  if (upTo !== undefined) settledUpTo[conversationId] = upTo;
  else {
    consolidated[conversationId] = true;
    delete settledUpTo[conversationId];
  }
}

function arrive(
  { arriving }: UserMemory,
  { episodeId, slice }: DataOf<'memory.conversation.imported'>,
): void {
  const known = slice && arrivingAfter(slice);
  if (known) arriving[episodeId] = known;
}

function markEmbedded({ embedded }: UserMemory, made: DataOf<'memory.vectors.made'>): void {
  const name = modelName(made);
  embedded[name] = Object.assign(embedded[name] ?? {}, { [made.episodeId]: true });
}

function markConclusion(
  { embeddedConclusions }: UserMemory,
  made: Pick<DataOf<'memory.conclusion.embedded'>, 'conclusionId' | 'provider' | 'model'>,
): void {
  const name = modelName(made);
  embeddedConclusions[name] = Object.assign(embeddedConclusions[name] ?? {}, { [made.conclusionId]: true });
}

function forget({ arriving, episodes, embedded }: UserMemory, episodeId: string): void {
  delete arriving[episodeId];
  delete episodes[episodeId];
  for (const known of Object.values(embedded)) delete known[episodeId];
}

function draw(
  memory: UserMemory,
  { conclusionId: id, saidAt, standing, ...data }: DataOf<'memory.conclusion.drawn'>,
  at: number,
): void {
  const times = { createdAt: at, updatedAt: at, lastEvidenceAt: saidAt ?? at };
  const anew = { ...times, stale: false, status: 'active', supersededBy: null, contradicts: [] } as const;
  const { tended, ...stands } = standing ?? { ...anew, tended: undefined };
  const known = { id, ...data, ...stands };
  memory.conclusions[id] = known;
  if (standing) takeOver(memory, known, tended ?? {});
}
