import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface RuntimeState {
  readonly isRunning: boolean;
  readonly isPortTaken: boolean;
  readonly isPullRefused: boolean;
  /** The status of each container, by its name. */
  readonly containers: Readonly<Record<string, string>>;
}

const fresh: RuntimeState = { isRunning: true, isPortTaken: false, isPullRefused: false, containers: {} };

/**
 * A program in a folder of its own that speaks as much of the command line of Docker and Podman as hark says, and keeps
 * its containers in a file.
 */
export class ContainerRuntime implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'hark-containers-'));
  readonly #stateFile = join(this.folder, 'state.json');
  readonly #callsFile = join(this.folder, 'calls');

  constructor(name: 'docker' | 'podman', state: Partial<RuntimeState> = {}) {
    this.state = { ...fresh, ...state };
    writeFileSync(join(this.folder, 'program.cjs'), program);
    writeFileSync(join(this.folder, name), shell);
    chmodSync(join(this.folder, name), 0o755);
  }

  get state(): RuntimeState {
    return JSON.parse(readFileSync(this.#stateFile, 'utf8'));
  }

  set state(state: RuntimeState) {
    writeFileSync(this.#stateFile, JSON.stringify(state));
  }

  /** What it was called with, but for its version, and without the name of the program. */
  get calls(): readonly string[] {
    const lines = existsSync(this.#callsFile) ? readFileSync(this.#callsFile, 'utf8').split('\n') : [];
    return lines.filter((line) => line !== '' && !line.startsWith('version'));
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Says by itself whether it runs: that has to come soon, and Node may start for long on a busy machine. */
const shell = `#!/bin/sh
folder=\${0%/*}
read -r state < "$folder/state.json"
case "$state" in
  *'"isRunning":false'*)
    echo 'Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?' >&2
    exit 1 ;;
esac
case "$1" in
  version) echo 28.5.1 ;;
  *) exec '${process.execPath}' "$folder/program.cjs" "$@" ;;
esac
`;

const program = String.raw`
const { appendFileSync, readFileSync, writeFileSync } = require('node:fs');
const { dirname, join } = require('node:path');
const folder = dirname(process.argv[1]);
const args = process.argv.slice(2);
appendFileSync(join(folder, 'calls'), args.join(' ') + '\n');
const state = JSON.parse(readFileSync(join(folder, 'state.json'), 'utf8'));
const keep = (name, status) => {
  if (status === undefined) delete state.containers[name];
  else state.containers[name] = status;
  writeFileSync(join(folder, 'state.json'), JSON.stringify(state));
};
const fail = (said, code = 1) => {
  process.stderr.write(said + '\n');
  process.exit(code);
};
const secret = Object.keys(process.env).find((name) => /KEY|SERVICE_/.test(name));
if (secret) fail(secret + ' was handed on');
const name = args.at(-1);
const taken =
  'docker: Error response from daemon: driver failed programming external connectivity on endpoint ' +
  'service-redis: Bind for 127.0.0.1:6379 failed: port is already allocated.';
switch (args[0]) {
  case 'container':
    if (state.containers[name] === undefined) fail('Error response from daemon: No such container: ' + name);
    console.log(state.containers[name]);
    break;
  case 'unpause':
  case 'start':
    if (state.isPortTaken) fail(taken);
    keep(name, 'running');
    break;
  case 'rm':
    keep(name, undefined);
    break;
  case 'run': {
    const own = args[args.indexOf('--name') + 1];
    if (state.containers[own] !== undefined) fail('Conflict. The container name is already in use', 125);
    if (state.isPullRefused)
      fail('Unable to find image locally\ndocker: Error response from daemon: failed to resolve reference', 125);
    if (state.isPortTaken) {
      keep(own, 'created');
      fail(taken, 125);
    }
    keep(own, 'running');
    console.log('0123456789abcdef');
    break;
  }
  default:
    fail('unknown command: ' + args[0]);
}
`;
