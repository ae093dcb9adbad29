import { z } from 'zod';
import type { CommandContext } from '../../commands/runner.ts';
import { recordBackup } from '../../commands/system/recordBackup.ts';
import { lazily } from '../../lazily.ts';
import type { Kvstore } from '../kvstore.ts';
import { type AnyOperation, defineOperation } from '../operation.ts';

const area = 'system';
const nothing = lazily(() => z.object({}));

const backup = lazily(() =>
  z.object({
    name: z.string(),
    at: z.int().describe('When it was begun (Unix ms): what was appended later may not be in it'),
    bytes: z.int(),
  }),
);
type Backup = z.output<ReturnType<typeof backup>>;

/** Where backups lie, and who makes them. */
interface BackupPlace {
  /** The log lies where it can be copied from. */
  readonly isPossible: boolean;
  readonly runningSince: number | undefined;
  list(): Promise<readonly Backup[]>;
  make(): Promise<Backup & { readonly events: number }>;
  remove(name: string): Promise<void>;
}

interface BackupDependencies {
  readonly backups: BackupPlace;
  readonly kvstore: Kvstore;
  /** Told when something was done that the log does not know of. */
  readonly onUnrecorded: (error: unknown) => void;
}

export function backupOperations({
  backups,
  kvstore,
  onUnrecorded,
}: BackupDependencies): readonly AnyOperation[] {
  const record = async (fact: Parameters<typeof recordBackup.decide>[1], whose: CommandContext) => {
    const { userId, correlationId } = whose;
    await Promise.resolve()
      .then(() => kvstore.connected().runner.run(recordBackup, fact, { userId, correlationId }))
      .catch(onUnrecorded);
  };
  return [
    defineOperation({
      name: 'system.backups',
      area,
      device: 'never',
      summary: 'The backups in the data directory, newest first',
      rest: { method: 'GET', path: '/api/system/backups' },
      input: nothing,
      output: () =>
        z.object({
          backups: z.array(backup()).readonly(),
          count: z.int(),
          isPossible: z.boolean().describe('False where the log is in memory, or there is none'),
          runningSince: z.int().exactOptional().describe('Since when one is being made (Unix ms)'),
        }),
      errors: [],
      example: { input: {} },
      async run() {
        const found = await backups.list();
        const { isPossible, runningSince } = backups;
        const running = runningSince === undefined ? {} : { runningSince };
        return { backups: found, count: found.length, isPossible, ...running };
      },
    }),
    defineOperation({
      name: 'system.backUp',
      area,
      device: 'never',
      summary: 'Copies the log into a new file in the data directory',
      description:
        'As `hark backup` does, beside a service that goes on, one at a time. The answer comes when the file was read ' +
        'back and has its name, below `backups` in the data directory. It holds the keys of personal text, and goes on ' +
        'holding what is erased later: remove old ones. `hark restore` fills an empty data directory or Redis from one.',
      rest: { method: 'POST', path: '/api/system/backups', status: 201, isPowerful: true },
      input: nothing,
      output: () => z.object({ backup: backup().extend({ events: z.int() }) }),
      errors: [
        ...(['BACKUP_IMPOSSIBLE', 'BACKUP_RUNNING', 'BACKUP_INVALID', 'TARGET_EXISTS'] as const),
        ...(['KVSTORE_UNAVAILABLE', 'STORAGE_FULL'] as const),
      ],
      example: { input: {} },
      async run(_nothing, caller) {
        const made = await backups.make();
        const { name, bytes, events } = made;
        await record({ type: 'system.backup.made', data: { name, bytes, events } }, caller);
        return { backup: made };
      },
    }),
    defineOperation({
      name: 'system.removeBackup',
      area,
      device: 'never',
      summary: 'Deletes a backup in the data directory',
      rest: { method: 'DELETE', path: '/api/system/backups/:name', takesNames: true, isPowerful: true },
      input: () => z.object({ name: z.string().max(64) }),
      output: () => z.object({ removed: z.literal(true), name: z.string() }),
      errors: ['BACKUP_UNKNOWN'],
      example: { input: { name: 'hark-2026-11-23T12-00-00-000Z.db' } },
      async run({ name }, caller) {
        await backups.remove(name);
        await record({ type: 'system.backup.removed', data: { name } }, caller);
        return { removed: true as const, name };
      },
    }),
  ];
}
