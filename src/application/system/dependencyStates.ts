import type { RuntimeState } from '../../gateways/machine/containers.ts';
import type { NliState } from '../../gateways/nli/nli.ts';
import type { DependencyState } from './dependencies.ts';

/* What is said of each part that hark can do without, by what was found of it. */

interface FoundStore {
  readonly connected: boolean;
  readonly version?: string | undefined;
  readonly error?: string | undefined;
}

export function storeState(url: string, { connected, version, error }: FoundStore): DependencyState {
  if (url === 'none')
    return { status: 'optional', hint: 'Without it nothing lasting works: unset SERVICE_KVSTORE_URL' };
  if (!connected) return { status: 'stopped', version, hint: error ?? 'It does not answer' };
  if (url === 'memory') return { status: 'ready', hint: 'Nothing outlasts the process' };
  const onSqlite = 'SQLite in the data directory. Several processes can share a Redis (install-redis)';
  return { status: 'ready', version, hint: url === 'embedded' ? onSqlite : undefined };
}

interface FoundRunner {
  readonly installed: boolean;
  readonly running: boolean;
  readonly version?: string | undefined;
  readonly hint?: string | undefined;
}

export function runnerState(
  { installed, running, version, hint }: FoundRunner,
  isNeeded: boolean,
): DependencyState {
  if (running) return { status: 'ready', version, hint };
  if (installed) return { status: 'stopped', hint };
  return { status: isNeeded ? 'missing' : 'optional', hint };
}

export function containersState(found: RuntimeState, isAnswering: boolean): DependencyState {
  if (found.is === 'running') return { status: 'ready', version: found.version, hint: found.runtime };
  if (found.is === 'stopped') return { status: 'stopped', hint: `Start ${found.runtime}: ${found.why}` };
  if (isAnswering)
    return { status: 'ready', hint: 'It answers, but neither docker nor podman is in the PATH of hark' };
  return { status: 'optional', hint: 'Docker or Podman; only install-redis needs it' };
}

/** Undefined where no model is to be used. */
export function nliState(
  model: { readonly id: string; readonly state: NliState } | undefined,
): DependencyState {
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

interface FoundEmbedder {
  readonly version: string;
  readonly isDown: boolean;
  readonly reason?: string | undefined;
  /** It did not answer what it was asked last. */
  readonly isFailing: boolean;
}

/** Undefined where none is set. */
export function embedderState(found: FoundEmbedder | undefined): DependencyState {
  if (!found)
    return {
      status: 'optional',
      hint: 'Set the embedding slot (PUT /api/slots) to find by meaning too; until then memory is found by words',
    };
  const { version, isDown, reason, isFailing } = found;
  if (isDown) return { status: reason === 'not configured' ? 'missing' : 'stopped', version, hint: reason };
  if (isFailing) return { status: 'stopped', version, hint: 'The last question had no answer' };
  return { status: 'ready', version };
}
