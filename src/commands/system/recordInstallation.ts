import { dependencyInstalled, type SystemEvent } from '../../events/system.ts';
import { defineCommand } from '../command.ts';

interface Installation {
  readonly name: string;
  readonly status: 'installed' | 'started';
  /** The program that did it. */
  readonly runtime: string;
}

export const recordInstallation = defineCommand({
  name: 'system.recordInstallation',
  state: { name: 'installations', version: 1, initial: null, evolve: () => null },
  scope: 'system',
  stream: () => 'dependencies',
  decide: (_state, installation: Installation): SystemEvent[] => [
    { type: dependencyInstalled.type, data: installation },
  ],
});
