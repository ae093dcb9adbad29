import { type MemoryEvent, type Profile, readMemoryEvent, type Standing } from '../../events/memory.ts';
import type { PastEvent, StateDefinition } from '../command.ts';

type DataOf<Type extends MemoryEvent['type']> = Extract<MemoryEvent, { type: Type }>['data'];
type Drawn = DataOf<'memory.conclusion.drawn'>;

/** What was forgotten is not there any more; text is null only for a moment, between the key and the event. */
export interface Episode extends DataOf<'memory.episode.created'> {
  readonly createdAt: number;
  readonly flagged: boolean;
}

export interface Conclusion extends Omit<Drawn, 'conclusionId' | 'standing'>, Standing {
  readonly id: string;
}

/** All that is remembered of one user. */
export interface UserMemory {
  readonly episodes: Record<string, Episode>;
  readonly conclusions: Record<string, Conclusion>;
  /** Conversations whose end has been dealt with. */
  readonly consolidated: Record<string, true>;
  /** By model, the episodes whose vectors it has made; the vectors themselves are in the log. */
  readonly embedded: Record<string, Record<string, true>>;
  profile: Profile;
  /** How often anything was erased: what was read before may be what is not to be known any more. */
  erasures: number;
}

/** The state of the `memory-<user>` stream, for decisions as for readers. It is changed in place. */
export const userMemory: StateDefinition<UserMemory> = {
  name: 'userMemory',
  version: 2,
  get initial(): UserMemory {
    return { episodes: {}, conclusions: {}, consolidated: {}, embedded: {}, profile: {}, erasures: 0 };
  },
  evolve(memory: UserMemory, stored: PastEvent): UserMemory {
    const event = readMemoryEvent(stored);
    if (event) apply(memory, event, stored.at);
    return memory;
  },
};

/** An id may be any word that a caller writes, `constructor` among them. */
export function entryOf<Entry>(entries: Readonly<Record<string, Entry>>, id: string): Entry | undefined {
  return Object.hasOwn(entries, id) ? entries[id] : undefined;
}

export function memoryStream(userId: string): string {
  return `memory-${userId}`;
}

/** Under which vectors are kept: only those of one model can be compared. */
export function modelName({
  provider,
  model,
}: {
  readonly provider: string;
  readonly model: string;
}): string {
  return `${provider}/${model}`;
}

function apply(memory: UserMemory, event: MemoryEvent, at: number): void {
  const { episodes, conclusions, consolidated } = memory;
  switch (event.type) {
    case 'memory.conversation.imported':
    case 'memory.consolidation.deferred':
      return;
    case 'memory.episode.created':
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
    case 'memory.conclusion.drawn':
      if (event.data.text !== null) conclusions[event.data.conclusionId] = drawn(event.data, at);
      return;
    case 'memory.conclusion.strengthened': {
      const { conclusionId, confidence, sources, turnIds } = event.data;
      const evidence = { sources, turnIds, lastEvidenceAt: at, stale: false };
      change(conclusions, conclusionId, at, { confidence, ...evidence });
      return;
    }
    case 'memory.conclusion.superseded': {
      const { conclusionId, supersededBy } = event.data;
      change(conclusions, conclusionId, at, { status: 'merged', supersededBy });
      return;
    }
    case 'memory.conclusion.restored':
      change(conclusions, event.data.conclusionId, at, { status: 'active', supersededBy: null });
      return;
    case 'memory.conclusions.erased':
      memory.erasures++;
      for (const id of event.data.conclusionIds) delete conclusions[id];
      return;
    case 'memory.conversation.consolidated':
      consolidated[event.data.conversationId] = true;
      return;
    case 'memory.profile.changed':
      memory.profile = { ...memory.profile, ...event.data.profile };
      return;
    case 'memory.erased':
      Object.assign(memory, userMemory.initial, { consolidated, erasures: memory.erasures + 1 });
  }
}

function markEmbedded({ embedded }: UserMemory, made: DataOf<'memory.vectors.made'>): void {
  const name = modelName(made);
  embedded[name] = Object.assign(embedded[name] ?? {}, { [made.episodeId]: true });
}

function forget({ episodes, embedded }: UserMemory, episodeId: string): void {
  delete episodes[episodeId];
  for (const known of Object.values(embedded)) delete known[episodeId];
}

function drawn({ conclusionId: id, standing, ...data }: Drawn, at: number): Conclusion {
  const times = { createdAt: at, updatedAt: at, lastEvidenceAt: at };
  const anew = { ...times, stale: false, status: 'active', supersededBy: null, contradicts: [] } as const;
  return { id, ...data, ...(standing ?? anew) };
}

function change(
  conclusions: Record<string, Conclusion>,
  id: string,
  at: number,
  changes: Partial<Conclusion>,
): void {
  const known = conclusions[id];
  if (known) conclusions[id] = { ...known, ...changes, updatedAt: at };
}
