import { z } from 'zod';
import { type Dependencies, dependencyStates } from '../../application/system/dependencies.ts';
import { recordInstallation } from '../../commands/system/recordInstallation.ts';
import { lazily } from '../../lazily.ts';
import type { Kvstore } from '../kvstore.ts';
import { type AnyOperation, defineOperation } from '../operation.ts';

const area = 'dependencies';
const nothing = lazily(() => z.object({}));

interface Installed {
  readonly status: 'installed' | 'started' | 'already_running';
  readonly runtime: string;
  readonly command: string;
}

interface DependencyDependencies {
  readonly dependencies: Dependencies;
  readonly kvstore: Kvstore;
  readonly installRedis: () => Promise<Installed>;
  /** How the log gets there. */
  readonly hint: string;
  /** Told when something was installed that the log does not know of. */
  readonly onUnrecorded: (error: unknown) => void;
}

export function dependencyOperations({
  dependencies,
  kvstore,
  installRedis,
  hint,
  onUnrecorded,
}: DependencyDependencies): readonly AnyOperation[] {
  return [
    defineOperation({
      name: 'dependencies.list',
      area,
      device: 'never',
      summary: 'What hark can do without, whether it is there, and what to do if not',
      description:
        'Looked up for real, all at once and each within some seconds; what was found a moment ago counts. `missing` is ' +
        'what is not there although something is set up to use it, `optional` what nothing asks for.',
      rest: { method: 'GET', path: '/api/dependencies' },
      input: nothing,
      output: () =>
        z.object({
          dependencies: z
            .array(
              z.object({
                name: z.string().describe('kvstore, local-runner, container-runtime, nli-model …'),
                kind: z.string().describe('store, runner, runtime or model'),
                status: z.enum(dependencyStates),
                version: z.string().optional(),
                hint: z.string().optional(),
              }),
            )
            .readonly(),
        }),
      errors: [],
      example: { input: {} },
      run: async () => ({ dependencies: await dependencies.list() }),
    }),
    defineOperation({
      name: 'dependencies.installRedis',
      area,
      device: 'never',
      summary: 'Runs Redis as a container on this machine, by Docker or Podman',
      description:
        'The container is `service-redis`, with a volume of that name, an append-only file and no eviction; port 6379 is ' +
        'open to this machine alone. One that is stopped is started, and one that runs is left alone. The log does not ' +
        'move by itself: `hint` says how.',
      rest: { method: 'POST', path: '/api/dependencies/install-redis', isPowerful: true },
      input: nothing,
      output: () =>
        z.object({
          status: z.enum(['installed', 'started', 'already_running']),
          command: z.string().describe('What was run, as somebody would type it'),
          hint: z.string().describe('How the log moves there'),
        }),
      errors: ['CONTAINERS_NOT_RUNNING', 'INSTALLATION_FAILED'],
      example: { input: {} },
      async run(_input, caller) {
        const { status, runtime, command } = await installRedis();
        dependencies.forget();
        if (status !== 'already_running') {
          const done = { name: 'kvstore', status, runtime };
          // What was done on the machine is done, whether or not the log is there to be told.
          await Promise.resolve()
            .then(() => kvstore.connected().runner.run(recordInstallation, done, caller))
            .catch(onUnrecorded);
        }
        return { status, command, hint };
      },
    }),
  ];
}
