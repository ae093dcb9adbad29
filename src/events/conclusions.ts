import { z } from 'zod';
import { lazily } from '../lazily.ts';
import { conclusionTypes, providerIds } from '../vocabulary.ts';
import { defineEvent, personal } from './definition.ts';

/* What is believed about a user because of episodes, in the words of its own key: it can be forgotten alone. */

const conclusionId = lazily(() => z.string());
export const ofConclusion = ({ conclusionId }: { conclusionId: string }) => `conclusion-${conclusionId}`;

const evidence = lazily(() =>
  z.object({
    sources: z.array(z.string()).readonly(),
    turnIds: z.array(z.string()).readonly(),
    lastEvidenceAt: z.number(),
  }),
);

const standing = lazily(() =>
  z.object({
    createdAt: z.number(),
    updatedAt: z.number(),
    lastEvidenceAt: z.number(),
    stale: z.boolean(),
    /** `merged` also where a later word took its place. */
    status: z.enum(['active', 'pruned', 'merged']),
    supersededBy: conclusionId().nullable(),
    contradicts: z.array(conclusionId()).readonly(),
    /** What sweeps and those who took them back left of it. */
    tended: z
      .object({
        restorableUntil: z.number().exactOptional(),
        restoredAt: z.number().exactOptional(),
        /** What it had itself, of one that took the evidence of others. */
        own: evidence().exactOptional(),
        /** `supersededBy` took its evidence, and gives it back when this one is restored. */
        isAbsorbed: z.literal(true).exactOptional(),
      })
      .exactOptional(),
  }),
);
export type Standing = z.output<ReturnType<typeof standing>>;

export const conclusionDrawn = defineEvent('memory.conclusion.drawn', {
  data: () =>
    z.object({
      conclusionId: conclusionId(),
      text: personal(z.string()),
      type: z.enum(conclusionTypes),
      confidence: z.number(),
      /** Episodes that it was drawn from; none when the user said it to us directly. */
      sources: z.array(z.string()).readonly(),
      /** Turns whose words say it. */
      turnIds: z.array(z.string()).readonly(),
      /** What it is about, so that a later word on the same takes its place: `home.city`. */
      about: personal(z.string()),
      by: z.enum(['user', 'model', 'offline', 'import']),
      /** Where it was taken apart: what is so, or with `negated` what is not, or no longer, so. */
      value: personal(z.string()).exactOptional(),
      negated: z.boolean().exactOptional(),
      /** When it was said, where that was long before. */
      saidAt: z.number().exactOptional(),
      /** Given where it comes from another memory: how it stood there. */
      standing: standing().exactOptional(),
    }),
  subject: ofConclusion,
  beginsSubject: true,
});

/** What a conclusion says, as numbers of one model. They go with it, as its words do. */
export const conclusionEmbedded = defineEvent('memory.conclusion.embedded', {
  data: () =>
    z.object({
      conclusionId: conclusionId(),
      provider: z.enum(providerIds),
      model: z.string(),
      /** Each number in 32 bits, as base64. */
      vector: personal(z.string()),
    }),
  subject: ofConclusion,
});

/** Found again, independently of what it came from. */
export const conclusionStrengthened = defineEvent('memory.conclusion.strengthened', {
  data: () =>
    z.object({
      conclusionId: conclusionId(),
      confidence: z.number(),
      sources: z.array(z.string()).readonly(),
      turnIds: z.array(z.string()).readonly(),
      saidAt: z.number().exactOptional(),
    }),
});

/** Why another one took the place of a conclusion: a later word on the same, one that calls it wrong, or that it is over. */
const supersededBecause = lazily(() => z.enum(['replaced', 'corrected', 'ended']));
export type SupersededBecause = z.output<ReturnType<typeof supersededBecause>>;

/** Another one took its place; it stays visible as what was believed before. */
export const conclusionSuperseded = defineEvent('memory.conclusion.superseded', {
  data: () =>
    z.object({ conclusionId: conclusionId(), supersededBy: conclusionId(), because: supersededBecause() }),
});

/** A model that read both says that not both can be so; neither takes the place of the other. */
export const conclusionContradicted = defineEvent('memory.conclusion.contradicted', {
  data: () => z.object({ conclusionId: conclusionId(), contradicts: conclusionId() }),
});

export const conclusionsErased = defineEvent('memory.conclusions.erased', {
  data: () =>
    z.object({
      conclusionIds: z.array(conclusionId()).readonly(),
      because: z.enum(['asked', 'source-erased', 'expired']),
    }),
  forgets: ({ conclusionIds }) => conclusionIds.map((id) => ofConclusion({ conclusionId: id })),
});

/** The user does not want them believed: they are put aside as what a sweep prunes, and can be restored as long. */
export const conclusionsDismissed = defineEvent('memory.conclusions.dismissed', {
  data: () => z.object({ conclusionIds: z.array(conclusionId()).readonly(), restorableUntil: z.number() }),
});

/** What put it aside is taken back; and what lowered it, where `confidence` says to what. */
export const conclusionRestored = defineEvent('memory.conclusion.restored', {
  data: () => z.object({ conclusionId: conclusionId(), confidence: z.number().exactOptional() }),
});

/** `kept`: the first stands and the other was wrong. `in-their-time`: the first is so now, and the other was before. */
const settlement = lazily(() => z.enum(['kept', 'in-their-time', 'no-contradiction', 'open']));
export type Settlement = z.output<ReturnType<typeof settlement>>;

/** Somebody said what is so of two that contradict each other. What becomes of them follows as events of its own. */
export const contradictionSettled = defineEvent('memory.contradiction.settled', {
  data: () => z.object({ conclusionId: conclusionId(), contradicts: conclusionId(), as: settlement() }),
});

/** What a sweep found a contradiction by. */
export const contradictionEvidence = lazily(() =>
  z.object({
    similarity: z.number(),
    /** What in the words of both speaks for it: that one denies the other, other numbers, and so on. */
    signs: z.array(z.string()).readonly(),
    /** What the inference model said of it; null when it was not asked. */
    nli: z.object({ model: z.string(), probability: z.number() }).nullable(),
    /** What the judging model said of it; null when it was not asked. */
    judge: z.object({ model: z.string(), confidence: z.number() }).nullable(),
  }),
);

/** As it stood in the memory that both come from: also what somebody said of it there, so that nobody is asked again. */
export const contradictionImported = defineEvent('memory.contradiction.imported', {
  data: () =>
    z.object({
      conclusionId: conclusionId(),
      contradicts: conclusionId(),
      /** When it was found. */
      foundAt: z.number(),
      evidence: contradictionEvidence().nullable(),
      settled: z
        .object({ as: settlement().exclude(['open']), conclusionId: conclusionId(), at: z.number() })
        .nullable(),
    }),
});
