import { z } from 'zod';
import { defineCommand } from '../../src/commands/command.ts';
import { type CommandContext, StoreCommandRunner } from '../../src/commands/runner.ts';
import { HarkError } from '../../src/errors.ts';
import { isEvent, type NewEvent } from '../../src/events/definition.ts';
import type { StreamFold } from '../../src/folds/streamFold.ts';
import { defineProjection } from '../../src/projections/projection.ts';
import type { Store } from '../../src/store/port.ts';
import { AT, counted, sampleCatalog } from '../store/sampleEvents.ts';

/* The smallest area there could be: streams of numbers, to try what runs areas. */

export const countingCatalog = sampleCatalog;

interface Sum {
  readonly total: number;
  readonly events: number;
}

export const sumState: StreamFold<Sum> = {
  name: 'sum',
  version: 1,
  initial: { total: 0, events: 0 },
  evolve: ({ total, events }: Sum, event: NewEvent) =>
    isEvent(event, counted) ? { total: total + event.data.n, events: events + 1 } : { total, events },
};

interface Add {
  readonly to: string;
  readonly n: number;
  /** Refused when the sum would be above it. */
  readonly most?: number;
}

export const add = defineCommand({
  name: 'sample.add',
  state: sumState,
  scope: 'user',
  stream: ({ to }: Add) => to,
  decide({ total }, { n, most = Number.POSITIVE_INFINITY }) {
    if (total + n > most) throw new HarkError('BAD_REQUEST', { message: `${total} + ${n} is above ${most}` });
    return n === 0 ? [] : [{ type: counted.type, data: { n } }];
  },
});

/** What a stream has come to, as its own events tell. */
const totalsState = z.record(z.string(), z.number());

export const totals = defineProjection({
  name: 'sample.totals',
  version: 1,
  handles: [counted],
  initial: (): z.output<typeof totalsState> => ({}),
  apply(state, event) {
    state[event.stream] = (state[event.stream] ?? 0) + event.data.n;
  },
});

export function runnerOn(store: Store, { timeoutMs }: { timeoutMs?: number } = {}): StoreCommandRunner {
  let ids = 0;
  return new StoreCommandRunner({
    store,
    clock: () => AT,
    newId: () => `id-${++ids}`,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });
}

export const asAnn: CommandContext = { userId: 'ann', correlationId: 'cause' };
