import { entryOf } from '../../entryOf.ts';
import { HarkError } from '../../errors.ts';
import type { MemoryEvent, Profile } from '../../events/memory.ts';
import { activeOnes } from '../../folds/memory/conclusion.ts';
import type { Conclusions } from '../../folds/memory/conclusions.ts';
import { closeness } from '../../language/sameMatter.ts';
import type { KnownEpisodes } from './episodes.ts';
import { type Finding, settleFindings, supersede } from './findings.ts';
import { defineMemoryCommand } from './state.ts';

interface ChangeProfile {
  readonly profile: Profile;
}

export const changeProfile = defineMemoryCommand<ChangeProfile>({
  name: 'memory.changeProfile',
  decide: (_memory, { profile }): MemoryEvent[] =>
    Object.keys(profile).length === 0 ? [] : [{ type: 'memory.profile.changed', data: { profile } }],
});

interface StateConclusion {
  readonly conclusionId: string;
  readonly text: string;
  readonly type: 'explicit' | 'corrected';
  readonly supersedes?: string | undefined;
  /** The turn in which the user says it, where it is in one. */
  readonly turnId?: string | undefined;
}

/** A correction that shares less with a belief than this is none of it. */
const LEAST_CLOSENESS = 0.3;

/**
 * What a correction takes the place of, where the user does not say which: the one belief that comes closest to it.
 * Of two that come as close nobody knows which is meant.
 */
function correctedBy({ conclusions }: Pick<Conclusions, 'conclusions'>, text: string): string | undefined {
  const [first, second] = activeOnes({ conclusions })
    .map(({ id, text: known }) => ({ id, close: known === null ? 0 : closeness(known, text) }))
    .filter(({ close }) => close >= LEAST_CLOSENESS)
    .sort((one, other) => other.close - one.close);
  return first && first.close !== second?.close ? first.id : undefined;
}

/** The user says what is so, of their memory itself or by a tool. Nobody knows better. */
export const stateConclusion = defineMemoryCommand<StateConclusion>({
  name: 'memory.stateConclusion',
  decide(
    { conclusions }: Conclusions,
    { conclusionId, text, type, supersedes: named, turnId },
  ): MemoryEvent[] {
    const supersedes = named ?? (type === 'corrected' ? correctedBy({ conclusions }, text) : undefined);
    const replaced = supersedes === undefined ? undefined : entryOf(conclusions, supersedes);
    if (supersedes !== undefined && replaced?.status !== 'active') throw unknownConclusion(supersedes);
    const about = replaced?.about ?? null;
    const drawn = {
      conclusionId,
      text,
      type,
      about,
      confidence: 1,
      sources: [],
      turnIds: turnId === undefined ? [] : [turnId],
      by: 'user',
    } as const;
    return [
      { type: 'memory.conclusion.drawn', data: drawn },
      ...(supersedes === undefined
        ? []
        : [supersede(supersedes, conclusionId, type === 'corrected' ? 'corrected' : 'replaced')]),
    ];
  },
});

interface DismissConclusions {
  readonly conclusionIds: readonly string[];
  readonly retentionMs: number;
}

/** Those of them that are believed are put aside, and erased only when their time is over: until then it can be undone. */
export const dismissConclusions = defineMemoryCommand<DismissConclusions>({
  name: 'memory.dismissConclusions',
  decide({ conclusions }: Conclusions, { conclusionIds: asked, retentionMs }, { now }): MemoryEvent[] {
    const conclusionIds = [...new Set(asked)].filter((id) => entryOf(conclusions, id)?.status === 'active');
    if (conclusionIds.length === 0) throw unknownConclusion(asked[0]);
    const restorableUntil = now + retentionMs;
    return [{ type: 'memory.conclusions.dismissed', data: { conclusionIds, restorableUntil } }];
  },
});

interface RestoreConclusions {
  readonly conclusionIds: readonly string[];
}

/** Takes back what put them aside, of those that are still kept; what stands beside them stays. */
export const restoreConclusions = defineMemoryCommand<RestoreConclusions>({
  name: 'memory.restoreConclusions',
  decide({ conclusions, aside }: Conclusions, { conclusionIds: asked }, { now }): MemoryEvent[] {
    const isAside = (id: string) => {
      const { [id]: until = Number.POSITIVE_INFINITY } = aside;
      const status = entryOf(conclusions, id)?.status;
      return status !== undefined && status !== 'active' && until > now;
    };
    const conclusionIds = [...new Set(asked)].filter(isAside);
    if (conclusionIds.length === 0) throw unknownConclusion(asked[0]);
    return conclusionIds.map((conclusionId) => ({
      type: 'memory.conclusion.restored',
      data: { conclusionId },
    }));
  },
});

function unknownConclusion(conclusionId: string | undefined): HarkError {
  return new HarkError('CONCLUSION_UNKNOWN', { body: { conclusionId } });
}

interface RememberSaid {
  readonly findings: readonly Finding[];
}

/** What the user asks to be remembered, or puts right, in a turn that goes on: it is believed when the turn is over. */
export const rememberSaid = defineMemoryCommand<RememberSaid>({
  name: 'memory.rememberSaid',
  decide: (memory: Pick<KnownEpisodes, 'episodes'> & Conclusions, { findings }, { newId }) =>
    settleFindings(memory, findings, { episodeId: null, conversationId: null }, newId),
});

interface EraseConclusions {
  readonly conclusionIds: readonly string[];
}

/** Those of them that are still there: of two who ask for the same, the second finds some gone, or all. */
export const eraseConclusions = defineMemoryCommand<EraseConclusions>({
  name: 'memory.eraseConclusions',
  decide({ conclusions }: Conclusions, { conclusionIds: asked }): MemoryEvent[] {
    const conclusionIds = asked.filter((id) => entryOf(conclusions, id) !== undefined);
    if (conclusionIds.length === 0) throw unknownConclusion(asked[0]);
    return [{ type: 'memory.conclusions.erased', data: { conclusionIds, because: 'asked' } }];
  },
});
