import type { backupMade, backupRemoved, SystemEvent } from '../../events/system.ts';
import { defineCommand } from '../command.ts';

type Recorded = Extract<SystemEvent, { type: typeof backupMade.type | typeof backupRemoved.type }>;

/** The file is there, or is not there any more: the log is told afterwards. */
export const recordBackup = defineCommand({
  name: 'system.recordBackup',
  state: { name: 'backups', version: 1, initial: null, evolve: () => null },
  scope: 'system',
  stream: () => 'backups',
  decide: (_state, fact: Recorded): SystemEvent[] => [fact],
});
