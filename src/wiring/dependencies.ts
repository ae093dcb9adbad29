import { Dependencies, type DependencyState } from '../application/system/dependencies.ts';
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
    { name: 'nli-model', kind: 'model', look: async () => lookAtNli(options) },
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
  const url = config.SERVICE_KVSTORE_URL;
  if (url === 'none')
    return { status: 'optional', hint: 'Without it nothing lasting works: unset SERVICE_KVSTORE_URL' };
  const { connected, version, error } = await kvstore.status();
  if (!connected) return { status: 'stopped', version, hint: error ?? 'It does not answer' };
  if (url === 'memory') return { status: 'ready', hint: 'Nothing outlasts the process' };
  const onSqlite = 'SQLite in the data directory. Several processes can share a Redis (install-redis)';
  return { status: 'ready', version, hint: url === 'embedded' ? onSqlite : undefined };
}

async function lookAtRunner({ providers }: MachineOptions): Promise<DependencyState> {
  const [{ installed, running, version, hint }, isNeeded] = await Promise.all([
    providers.localRunner.status(),
    providers.needsLocalRunner(),
  ]);
  if (running) return { status: 'ready', version, hint };
  if (installed) return { status: 'stopped', hint };
  return { status: isNeeded ? 'missing' : 'optional', hint };
}

async function lookAtContainers(): Promise<DependencyState> {
  const [containers, { containerSocketAnswers }] = await Promise.all([
    loadContainers(),
    import('../gateways/machine/probes.ts'),
  ]);
  const state = await containers.state();
  if (state.is === 'running') return { status: 'ready', version: state.version, hint: state.runtime };
  if (state.is === 'stopped') return { status: 'stopped', hint: `Start ${state.runtime}: ${state.why}` };
  if (await containerSocketAnswers())
    return { status: 'ready', hint: 'It answers, but neither docker nor podman is in the PATH of hark' };
  return { status: 'optional', hint: 'Docker or Podman; only install-redis needs it' };
}

function lookAtNli({ contradictions }: MachineOptions): DependencyState {
  const model = contradictions.nliModel;
  if (!model) return { status: 'optional', hint: 'Not in use (SERVICE_NLI_ENABLED=false)' };
  const { id, state } = model;
  switch (state.is) {
    case 'off':
      return { status: 'missing', hint: 'onnxruntime is not installed: hark doctor --fix fetches it' };
    case 'present':
    case 'proven':
      return { status: 'ready', version: id };
    case 'missing':
      return { status: 'missing', hint: `${id} is downloaded when a sweep first needs it` };
    case 'downloading':
      return { status: 'missing', hint: `${id} is being downloaded` };
    case 'failed':
      return { status: 'stopped', version: id, hint: state.why };
  }
}

async function lookAtEmbedder({ providers, memory }: MachineOptions): Promise<DependencyState> {
  const set = providers.slots.view().slots.embedding;
  if (!set)
    return {
      status: 'optional',
      hint: 'Set the embedding slot (PUT /api/slots) to find by meaning too; until then memory is found by words',
    };
  const { state, reason } = await providers.availability.statusOf('embedding');
  const version = `${set.provider}/${set.model}`;
  if (state === 'down')
    return { status: reason === 'not configured' ? 'missing' : 'stopped', version, hint: reason };
  if (memory.embedder.isFailing)
    return { status: 'stopped', version, hint: 'The last question had no answer' };
  return { status: 'ready', version };
}
