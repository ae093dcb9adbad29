import { Dependencies, type DependencyState } from '../application/system/dependencies.ts';
import {
  containersState,
  embedderState,
  nliState,
  runnerState,
  storeState,
} from '../application/system/dependencyStates.ts';
import type { Config } from '../config.ts';
import type { Kvstore } from '../interfaces/kvstore.ts';
import type { AnyOperation } from '../interfaces/operation.ts';
import { dependencyOperations } from '../interfaces/operations/dependencies.ts';
import type { Logger } from '../logger.ts';
import type { Contradictions } from './contradictions.ts';
import type { Memory } from './memory.ts';
import type { Providers } from './providers.ts';
import type { Speech } from './speech.ts';

interface MachineOptions {
  readonly config: Config;
  readonly kvstore: Kvstore;
  readonly log: Logger;
  readonly providers: Pick<Providers, 'slots' | 'availability' | 'localRunner' | 'needsLocalRunner'>;
  readonly contradictions: Pick<Contradictions, 'nliModel'>;
  readonly memory: Pick<Memory, 'embedder'>;
  readonly speech: Pick<Speech, 'lookAtHearing' | 'lookAtSpeaking'>;
}

/** The wiring of what hark can do without: whether it is there, and how it gets there. */
export function wireDependencies(options: MachineOptions): { operations(): readonly AnyOperation[] } {
  const { kvstore, log } = options;
  const looks = [
    { name: 'kvstore', kind: 'store', look: () => lookAtStore(options) },
    { name: 'local-runner', kind: 'runner', look: () => lookAtRunner(options) },
    { name: 'container-runtime', kind: 'runtime', look: lookAtContainers },
    { name: 'nli-model', kind: 'model', look: async () => nliState(options.contradictions.nliModel) },
    { name: 'speech-stt', kind: 'model', look: () => options.speech.lookAtHearing() },
    { name: 'speech-tts', kind: 'model', look: () => options.speech.lookAtSpeaking() },
    { name: 'embedder', kind: 'model', look: () => lookAtEmbedder(options) },
  ];
  const dependencies = new Dependencies({ looks, now: () => performance.now() });
  let containers: ReturnType<typeof loadContainers> | undefined;
  return {
    operations: () =>
      dependencyOperations({
        dependencies,
        kvstore,
        async installRedis() {
          containers ??= loadContainers();
          return (await containers).installRedis();
        },
        hint: HINT,
        onUnrecorded: (error) => log.warn({ err: error }, 'a container was installed without an event'),
      }),
  };
}

/** Tried in test/service/dependencies.test.ts, with another port. */
const REDIS = 'redis://127.0.0.1:6379';
const HINT =
  'The log does not move by itself. From SQLite: stop hark; hark backup hark-backup.db; ' +
  `hark restore hark-backup.db --kvstore-url ${REDIS}; set SERVICE_KVSTORE_URL=${REDIS} and start hark again. ` +
  'The data directory still holds keys of providers, so keep it.';

async function loadContainers() {
  return new (await import('../gateways/machine/containers.ts')).Containers();
}

async function lookAtStore({ config, kvstore }: MachineOptions): Promise<DependencyState> {
  return storeState(config.SERVICE_KVSTORE_URL, await kvstore.status());
}

async function lookAtRunner({ providers }: MachineOptions): Promise<DependencyState> {
  const [found, isNeeded] = await Promise.all([providers.localRunner.status(), providers.needsLocalRunner()]);
  return runnerState(found, isNeeded);
}

async function lookAtContainers(): Promise<DependencyState> {
  const [containers, { containerSocketAnswers }] = await Promise.all([
    loadContainers(),
    import('../gateways/machine/probes.ts'),
  ]);
  const found = await containers.state();
  return containersState(found, found.is === 'missing' && (await containerSocketAnswers()));
}

async function lookAtEmbedder({ providers, memory }: MachineOptions): Promise<DependencyState> {
  const set = providers.slots.view().slots.embedding;
  if (!set) return embedderState(undefined);
  const { state, reason } = await providers.availability.statusOf('embedding');
  const { isFailing } = memory.embedder;
  return embedderState({
    version: `${set.provider}/${set.model}`,
    isDown: state === 'down',
    reason,
    isFailing,
  });
}
