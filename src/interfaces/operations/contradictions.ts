import { z } from 'zod';
import { entryOf } from '../../entryOf.ts';
import { HarkError } from '../../errors.ts';
import { type Contradiction, pairOf } from '../../folds/memory/contradictions.ts';
import { lazily } from '../../lazily.ts';
import { type Remembered, remembered } from '../../projections/memory/remembered.ts';
import { userViewAt } from '../../projections/runtime.ts';
import { contradictionDecisions } from '../../vocabulary.ts';
import type { Kvstore } from '../kvstore.ts';
import { type AnyOperation, type Caller, defineOperation, id, written } from '../operation.ts';
import { conclusionToWire, conclusionView, contradictionEvidence } from './memoryShapes.ts';

const area = 'memory';

const contradictionView = lazily(() =>
  z.object({
    conclusions: z.tuple([conclusionView(), conclusionView()]),
    at: z.number().describe('When it was found'),
    evidence: contradictionEvidence().nullable().describe('Of a sweep; null where a conversation showed it'),
    settled: z
      .object({
        as: z.enum(['kept', 'in-their-time', 'no-contradiction', 'open']),
        conclusionId: z.string().describe('The one that was kept, or is so now'),
        at: z.number(),
      })
      .nullable(),
  }),
);

/** What cannot both be so, and what somebody said of it. */
export function contradictionOperations(kvstore: Kvstore): readonly AnyOperation[] {
  const memoryOf = ({ userId }: Caller) => kvstore.reachable().views.of(remembered, userId);
  return [
    defineOperation({
      name: 'contradictions.list',
      area,
      device: 'trust2',
      summary: 'Pairs of conclusions that cannot both be true, newest first',
      description:
        '`open` are those of which both stand and nobody has said what is so; `settled` are all others. With `at`, as ' +
        'it was then.',
      rest: { method: 'GET', path: '/api/memory/contradictions' },
      input: () =>
        z.object({
          status: z.enum(['open', 'settled']).default('open'),
          limit: written(z.coerce.number().int().min(1).max(1_000)).default(100),
          at: written(z.coerce.number().int().nonnegative()).optional(),
        }),
      output: () =>
        z.object({ contradictions: z.array(contradictionView()), count: z.int().describe('Of all') }),
      errors: ['KVSTORE_UNAVAILABLE'],
      example: { input: { status: 'open' } },
      async run({ status, limit, at: time }, caller) {
        const { store } = kvstore.reachable();
        const memory = await (time === undefined
          ? memoryOf(caller)
          : userViewAt(store, remembered, caller.userId, { time }));
        const all = Object.values(memory.contradictions)
          .filter((one) => isOpen(memory, one) === (status === 'open'))
          .sort((one, other) => other.at - one.at);
        const shown = all.slice(0, limit).flatMap((one) => toWire(memory, one) ?? []);
        return { contradictions: shown, count: all.length };
      },
    }),
    defineOperation({
      name: 'contradictions.settle',
      area,
      device: 'trust3',
      summary: 'Says what is so of two that contradict each other',
      description:
        '`keep`: this one is right and the other was wrong. `in-their-time`: both were right, and what was heard of last is so ' +
        'now. `no-contradiction`: both are right, and no sweep finds the pair again. `open` takes any of these back.',
      rest: { method: 'PUT', path: '/api/memory/contradictions/:id/:contradicts', strict: true },
      input: () => z.object({ id: id(), contradicts: id(), decision: z.enum(contradictionDecisions) }),
      output: () => z.object({ contradiction: contradictionView() }),
      errors: ['CONTRADICTION_UNKNOWN', 'KVSTORE_UNAVAILABLE'],
      example: { input: { id: 'unknown', contradicts: 'other', decision: 'keep' } },
      async run({ id: conclusionId, contradicts, decision }, caller) {
        const { runner } = kvstore.connected();
        const { settleContradiction } = await import('../../commands/memory/settling.ts');
        await runner.run(settleContradiction, { conclusionId, contradicts, decision }, caller);
        const memory = await memoryOf(caller);
        const settled = entryOf(memory.contradictions, pairOf(conclusionId, contradicts));
        const contradiction = settled && toWire(memory, settled);
        if (!contradiction)
          throw new HarkError('CONTRADICTION_UNKNOWN', { body: { conclusionId, contradicts } });
        return { contradiction };
      },
    }),
  ];
}

function isOpen({ conclusions }: Remembered, { ids, settled }: Contradiction): boolean {
  return settled === null && ids.every((id) => entryOf(conclusions, id)?.status === 'active');
}

/** Undefined for a moment in which one of them is being erased. */
function toWire(
  { conclusions }: Remembered,
  { ids: [first, second], isLinkOnly: _, ...shown }: Contradiction,
) {
  const [one, other] = [entryOf(conclusions, first), entryOf(conclusions, second)];
  if (!one || !other) return undefined;
  const pair: [z.output<ReturnType<typeof conclusionView>>, z.output<ReturnType<typeof conclusionView>>] = [
    conclusionToWire(one),
    conclusionToWire(other),
  ];
  return { conclusions: pair, ...shown };
}
