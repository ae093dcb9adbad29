import { Pace } from '../../../src/application/maintenance/pace.ts';
import type { ContradictionFinder } from '../../../src/application/maintenance/ports.ts';
import type { CommandRunner } from '../../../src/commands/runner.ts';
import type { NewEvent } from '../../../src/events/definition.ts';
import type { CompletedSweep } from '../../../src/events/maintenance.ts';
import { SweepRun } from '../../../src/sagas/maintenance/sweep.ts';
import { aConclusion, anEpisode } from '../../commands/memory/sample.ts';
import { NOW } from '../../support/given.ts';
import { DAY_MS, type Swept, USER, usual } from './sweeping.ts';

/* Memories that a sweep finds something in, and a sweep that is watched command by command. */

const by = { by: 'request', thresholds: usual } as const;

interface Drawn {
  readonly text?: string;
  readonly sources?: readonly string[];
  readonly confidence?: number;
  readonly ageDays?: number;
}

export function drawn(conclusionId: string, { ageDays = 1, ...said }: Drawn = {}) {
  const at = NOW - ageDays * DAY_MS;
  const times = { createdAt: at, updatedAt: at, lastEvidenceAt: at };
  const standing = { ...times, stale: false, status: 'active', supersededBy: null, contradicts: [] };
  const text = `The user has the number ${conclusionId}`;
  return aConclusion(conclusionId, { text, type: 'inferred', standing, ...said });
}

/** Of so little weight that it is an orphan where nothing comes from it. */
export function episode(episodeId: string) {
  return anEpisode(episodeId, { importance: 1, expiresAt: NOW + DAY_MS });
}

/** Something to do for each step of a sweep. */
export const oneForEachStep: readonly NewEvent[] = [
  episode('e1'),
  drawn('old', { ageDays: 400 }),
  drawn('weak', { confidence: 0.1 }),
  drawn('one', { text: 'The user likes walks by the river' }),
  drawn('same', { text: 'The user likes walks by the river' }),
];

interface Options {
  readonly contradictions?: ContradictionFinder;
  readonly pace?: Pace;
  readonly signal?: AbortSignal;
  readonly before?: (command: string, input: Record<string, unknown>) => unknown;
  readonly beforeRead?: () => Promise<unknown>;
  readonly commandId?: string;
}

/** What was run, in its order, and the report. */
export async function sweep(
  swept: Swept,
  {
    pace = new Pace(),
    signal = new AbortController().signal,
    before,
    beforeRead,
    contradictions,
    commandId,
  }: Options = {},
) {
  const ran: { readonly name: string; readonly input: Record<string, unknown> }[] = [];
  const runner: Pick<CommandRunner, 'read' | 'run'> = {
    async read(...args) {
      await beforeRead?.();
      return swept.runner.read(...args);
    },
    async run(command, input, ...args) {
      const name = command.name.replace('memory.', '');
      const asked: Record<string, unknown> = Object.fromEntries(Object.entries(Object(input)));
      ran.push({ name, input: asked });
      await before?.(name, asked);
      return swept.runner.run(command, input, ...args);
    },
  };
  const run = new SweepRun(
    { runner, store: swept.store, contradictions, pace },
    { userId: USER, correlationId: 'test' },
    signal,
  );
  const report: CompletedSweep = await run.run(by, commandId);
  return { report, ran };
}
