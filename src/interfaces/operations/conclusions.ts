import { z } from 'zod';
import { eraseWithWords } from '../../commands/memory/forgetting.ts';
import { entryOf } from '../../entryOf.ts';
import { HarkError } from '../../errors.ts';
import type { Conclusion } from '../../folds/memory/conclusion.ts';
import { lazily } from '../../lazily.ts';
import { onFirstUse } from '../../onFirstUse.ts';
import { reasonsFor } from '../../projections/memory/reasons.ts';
import { type Remembered, remembered } from '../../projections/memory/remembered.ts';
import { userViewAt } from '../../projections/runtime.ts';
import { preferences } from '../../projections/settings/preferences.ts';
import { turnOrigins } from '../../vocabulary.ts';
import type { Kvstore } from '../kvstore.ts';
import { newIdFor } from '../newId.ts';
import { type AnyOperation, type Caller, defineOperation, id, written } from '../operation.ts';
import { hasWords, pageInput, pageOf, pageOutput, wordsInput } from './listPages.ts';
import type { FollowErasure } from './memory.ts';
import { conclusionStatus, conclusionToWire, conclusionType, conclusionView } from './memoryShapes.ts';

const changes = onFirstUse(() => import('../../commands/memory/userChanges.ts'));

const area = 'memory';
const one = lazily(() => z.object({ conclusion: conclusionView() }));
const at = lazily(() => written(z.coerce.number().int().nonnegative()).optional());
/** So many can be put aside, or taken back, at once. */
const someIds = lazily(() => z.array(id()).min(1).max(1_000));
const errors = ['CONCLUSION_UNKNOWN', 'KVSTORE_UNAVAILABLE'] as const;

const reason = lazily(() =>
  z.object({
    position: z.int(),
    type: z.string(),
    at: z.number(),
    summary: z.string(),
    origin: z
      .enum(turnOrigins)
      .optional()
      .describe(
        'Whose words they are, where it is what was said; only those of the user are evidence about them',
      ),
    words: z
      .string()
      .nullable()
      .optional()
      .describe('What was said or concluded; null where that was erased'),
    setAside: z
      .literal(true)
      .optional()
      .describe('Of words in whose place others stand in the conversation by now'),
    saidAt: z.number().optional().describe('When the words were said, where they came from elsewhere'),
    confidence: z.number().optional().describe('After it, where it changed that'),
  }),
);

interface ConclusionDependencies {
  readonly kvstore: Kvstore;
  readonly erased: FollowErasure;
  /** How long what was put aside can be restored. */
  readonly retentionMs: () => number;
}

/** What is believed about the user, why, and since when. */
export function conclusionOperations(parts: ConclusionDependencies): readonly AnyOperation[] {
  const { kvstore, erased, retentionMs } = parts;
  const memoryAt = ({ userId }: Caller, time: number | undefined) => {
    const { store, views } = kvstore.reachable();
    return time === undefined
      ? views.of(remembered, userId)
      : userViewAt(store, remembered, userId, { time });
  };
  const memoryOf = (caller: Caller) => memoryAt(caller, undefined);
  const shown = async (conclusionId: string, caller: Caller) =>
    conclusionToWire(knownIn(await memoryOf(caller), conclusionId));
  return [
    defineOperation({
      name: 'conclusions.list',
      area,
      device: 'trust2',
      summary: 'Conclusions about the user, most certain first',
      description:
        'With `at`, as it was believed then. Only what stands, unless another `status` is asked for. All of them, or with ' +
        '`limit` a page.',
      rest: { method: 'GET', path: '/api/memory/conclusions' },
      input: () =>
        z.object({
          type: conclusionType().optional(),
          minConfidence: written(z.coerce.number().min(0).max(1)).default(0),
          status: conclusionStatus().default('active'),
          source: id().optional().describe('Only those that were drawn from this episode'),
          at: at(),
          q: wordsInput(),
          order: z.enum(['confidence', 'newest']).default('confidence'),
          ...pageInput(),
        }),
      output: () => z.object({ conclusions: z.array(conclusionView()), count: z.int(), ...pageOutput() }),
      errors: ['KVSTORE_UNAVAILABLE'],
      example: { input: { minConfidence: 0.5 } },
      async run({ type, minConfidence, status, source, at: time, q, order, ...wanted }, caller) {
        const memory = await memoryAt(caller, time);
        const isFound = hasWords(q);
        const isAsked = (known: Conclusion) =>
          known.status === status &&
          known.confidence >= minConfidence &&
          (type === undefined || known.type === type) &&
          (source === undefined || known.sources.includes(source)) &&
          isFound(known.text);
        const asked = Object.values(memory.conclusions).filter(isAsked).sort(orders[order]);
        const { page, ...rest } = pageOf(asked, { ...wanted, idOf: ({ id: known }) => known });
        return { conclusions: page.map(conclusionToWire), count: page.length, ...rest };
      },
    }),
    defineOperation({
      name: 'conclusions.state',
      area,
      device: 'trust3',
      summary: 'States a conclusion, or corrects one',
      description:
        'Typed `corrected` and without `supersedes`, it replaces the one conclusion that comes closest to it, if there is ' +
        'one; `replaced` names it, and `/restore` undoes that. 409 with ' +
        '`errorCode` `MEMORY_OFF` when memory is off for the user (`persistMemory: false`).',
      rest: { method: 'POST', path: '/api/memory/conclusions', status: 201 },
      input: () =>
        z.object({
          text: z.string().trim().min(1).max(2_000),
          type: z.enum(['explicit', 'corrected']).default('explicit'),
          supersedes: id().optional().describe('Id of the conclusion that this one replaces'),
        }),
      output: () =>
        one().extend({
          replaced: z
            .array(z.object({ id: z.string(), text: z.string().nullable() }))
            .describe('What is no longer believed because of it'),
        }),
      errors: [...errors, 'MEMORY_OFF'],
      example: { input: { text: 'The user has a sister called Mia.', type: 'explicit' } },
      async run(input, caller) {
        const { runner, views } = kvstore.connected();
        const { effective } = await views.of(preferences, caller.userId);
        if (!effective.persistMemory) throw new HarkError('MEMORY_OFF');
        const conclusionId = newIdFor(caller);
        const { stateConclusion } = await changes();
        await runner.run(stateConclusion, { ...input, conclusionId }, caller);
        const memory = await memoryOf(caller);
        // What just adds to the rest replaces nothing, so it need not be looked for in all that is believed.
        const mayReplace = input.type === 'corrected' || input.supersedes !== undefined;
        const replaced = (mayReplace ? Object.values(memory.conclusions) : [])
          .filter(({ supersededBy }) => supersededBy === conclusionId)
          .map(({ id: replacedId, text }) => ({ id: replacedId, text }));
        return { conclusion: conclusionToWire(knownIn(memory, conclusionId)), replaced };
      },
    }),
    defineOperation({
      name: 'conclusions.erase',
      area,
      device: 'never',
      summary: 'Erases a conclusion',
      description:
        'With `words=true`, also the episodes that it came from, with their conversations and the conclusions that rest ' +
        'on nothing else, and the words of a session that goes on. Without, `episodes` names those that still hold its ' +
        'words. `wordsErased` is false while any may.',
      rest: { method: 'DELETE', path: '/api/memory/conclusions/:id', isPowerful: true },
      input: () => z.object({ id: id(), words: z.enum(['true', 'false']).default('false') }),
      output: () =>
        z.object({
          deleted: z.literal(true),
          conclusionId: z.string(),
          episodes: z.array(z.string()).describe('Ids of the episodes that still hold its words'),
          wordsErased: z.boolean().describe('Whether nothing holds its words any more'),
        }),
      errors,
      example: { input: { id: 'unknown' } },
      async run({ id: conclusionId, words }, caller) {
        const { runner } = kvstore.connected();
        const { conclusions, episodes } = await memoryOf(caller);
        const { sources = [], turnIds = [] } = entryOf(conclusions, conclusionId) ?? {};
        if (words === 'true') {
          const { store } = kvstore.connected();
          const { conversationsBehind } = await import('../../application/memory/extent.ts');
          const conversationIds = await conversationsBehind(store, caller.userId, turnIds);
          const input = { conclusionId, conversationIds };
          const { version } = await runner.run(eraseWithWords, input, caller);
          await erased(caller, version);
        } else {
          const { eraseConclusions } = await changes();
          await runner.run(eraseConclusions, { conclusionIds: [conclusionId] }, caller);
        }
        const holding =
          words === 'true' ? [] : sources.filter((source) => entryOf(episodes, source) !== undefined);
        // Of what was said in a session that goes on there is no episode yet.
        const isUntold = words !== 'true' && sources.length === 0 && turnIds.length > 0;
        const answer = { deleted: true as const, conclusionId, episodes: holding };
        return { ...answer, wordsErased: holding.length === 0 && !isUntold };
      },
    }),
    defineOperation({
      name: 'conclusions.restore',
      area,
      device: 'trust3',
      summary: 'Restores a conclusion that was pruned, or merged into another',
      rest: { method: 'POST', path: '/api/memory/conclusions/:id/restore' },
      input: () => z.object({ id: id() }),
      output: one,
      errors,
      example: { input: { id: 'unknown' } },
      async run({ id: conclusionId }, caller) {
        const { restoreConclusions } = await changes();
        await kvstore.connected().runner.run(restoreConclusions, { conclusionIds: [conclusionId] }, caller);
        return { conclusion: await shown(conclusionId, caller) };
      },
    }),
    defineOperation({
      name: 'conclusions.dismiss',
      area,
      device: 'trust3',
      summary: 'Puts conclusions aside: they are not believed any more, and can be restored for a time',
      description:
        'Those of them that stand. From then on no model is told of them; they are `pruned`, as what a sweep puts aside, ' +
        'and erased when `restorableUntil` is over. To erase one at once is `DELETE /api/memory/conclusions/:id`.',
      rest: { method: 'POST', path: '/api/memory/conclusions/dismiss' },
      input: () => z.object({ ids: someIds() }),
      output: () => z.object({ dismissed: z.array(z.string()).readonly(), restorableUntil: z.number() }),
      errors,
      example: { input: { ids: ['unknown'] } },
      async run({ ids }, caller) {
        const input = { conclusionIds: ids, retentionMs: retentionMs() };
        const { dismissConclusions } = await changes();
        await kvstore.connected().runner.run(dismissConclusions, input, caller);
        const { conclusions, aside } = await memoryOf(caller);
        const dismissed = ids.filter((one) => entryOf(conclusions, one)?.status === 'pruned');
        const until = dismissed.flatMap((one) => entryOf(aside, one) ?? []);
        return { dismissed, restorableUntil: Math.max(0, ...until) };
      },
    }),
    defineOperation({
      name: 'conclusions.restoreSome',
      area,
      device: 'trust3',
      summary: 'Restores several conclusions at once',
      description: 'Those of them that are put aside and still kept.',
      rest: { method: 'POST', path: '/api/memory/conclusions/restore' },
      input: () => z.object({ ids: someIds() }),
      output: () => z.object({ restored: z.array(z.string()).readonly() }),
      errors,
      example: { input: { ids: ['unknown'] } },
      async run({ ids }, caller) {
        const { restoreConclusions } = await changes();
        await kvstore.connected().runner.run(restoreConclusions, { conclusionIds: ids }, caller);
        const { conclusions } = await memoryOf(caller);
        return { restored: ids.filter((one) => entryOf(conclusions, one)?.status === 'active') };
      },
    }),
    defineOperation({
      name: 'conclusions.why',
      area,
      device: 'trust2',
      summary: 'Why a conclusion is believed: its events, back to the words of the user',
      description: 'With `at`, as it was then.',
      rest: { method: 'GET', path: '/api/memory/conclusions/:id/why' },
      input: () => z.object({ id: id(), at: at() }),
      output: () =>
        one().extend({
          chain: z.array(reason()).readonly(),
          replacedBy: conclusionView().nullable().describe('What is believed in its place'),
          replaced: z.array(conclusionView()).describe('What it took the place of'),
          contradicted: z.array(conclusionView()).describe('What cannot be so together with it'),
        }),
      errors,
      example: { input: { id: 'unknown' } },
      async run({ id: conclusionId, at: time }, caller) {
        const memory = await memoryAt(caller, time);
        const known = knownIn(memory, conclusionId);
        const { store } = kvstore.connected();
        const { supersededBy, contradicts } = known;
        const successor = supersededBy === null ? undefined : entryOf(memory.conclusions, supersededBy);
        const before = Object.values(memory.conclusions).filter((one) => one.supersededBy === conclusionId);
        return {
          conclusion: conclusionToWire(known),
          chain: await reasonsFor(store, caller.userId, conclusionId, time),
          replacedBy: successor ? conclusionToWire(successor) : null,
          replaced: before.map(conclusionToWire),
          contradicted: contradicts
            .flatMap((id) => entryOf(memory.conclusions, id) ?? [])
            .map(conclusionToWire),
        };
      },
    }),
  ];
}

function knownIn({ conclusions }: Remembered, conclusionId: string): Conclusion {
  const known = entryOf(conclusions, conclusionId);
  if (!known) throw new HarkError('CONCLUSION_UNKNOWN', { body: { conclusionId } });
  return known;
}

/** Of two as certain, or as new, the one that was there first. */
const orders = {
  confidence: (a: Conclusion, b: Conclusion) => b.confidence - a.confidence,
  newest: (a: Conclusion, b: Conclusion) => b.updatedAt - a.updatedAt,
} as const;
