import { type ChildProcess, spawn } from 'node:child_process';
import { globSync, lstatSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { type Outcome, outcomeOf } from '../interfaces/cli/hark.ts';
import { npm } from './npm.ts';
import type { StartedHark } from './startedHark.ts';
import { tarballIn } from './tarball.ts';

const BLOCK = 512;
const MIB = 2 ** 20;
const readyShape = z.object({ msg: z.literal('ready'), ports: z.object({ health: z.number() }) });

/** How this machine reaches a registry. */
const REACHING = /^(npm_config_.*|.*_proxy|.*_CERTS?|SSL_.*)$/i;

/** The package as npm packs it, in a folder that goes with it. */
export class PackedHark implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'hark-package-'));
  readonly tarball: string;

  constructor() {
    this.tarball = tarballIn(this.folder);
  }

  /** Installed into an empty folder, with an empty cache, and with no script run. */
  install(...flags: readonly string[]): InstalledHark {
    const folder = mkdtempSync(join(this.folder, 'app-'));
    writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
    const cache = mkdtempSync(join(this.folder, 'cache-'));
    npm(['install', '--ignore-scripts', '--cache', cache, ...flags, this.tarball], folder);
    rmSync(cache, { recursive: true });
    return new InstalledHark(folder);
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A folder of somebody who has installed hark. */
export class InstalledHark {
  readonly folder: string;
  readonly package: string;
  readonly bin: string;

  constructor(folder: string) {
    this.folder = folder;
    this.package = join(folder, 'node_modules/hark-agent');
    this.bin = realpathSync(join(folder, 'node_modules/.bin/hark'));
  }

  /** What the disk gives for all that was installed. */
  get mebibytes(): number {
    return mebibytesOf(join(this.folder, 'node_modules'));
  }

  spawn(args: readonly string[], environment: Readonly<Record<string, string>> = {}): ChildProcess {
    const { PATH = '', HOME = '' } = process.env;
    return spawn(process.execPath, args, {
      cwd: this.folder,
      env: { PATH, HOME, HEALTH_PORT: '0', MCP_PORT: '0', AUDIO_PORT: '0', ...environment },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
  }

  hark(
    args: readonly string[],
    environment: Readonly<Record<string, string>> = {},
    input?: string,
  ): Promise<Outcome> {
    return outcomeOf(this.spawn([this.bin, ...args], environment), input);
  }

  /** Fetches what is missing, to a folder of data. */
  fix(data: string): Promise<Outcome> {
    const network = Object.fromEntries(
      Object.entries(process.env).flatMap(([name, value = '']) =>
        REACHING.test(name) ? [[name, value]] : [],
      ),
    );
    return this.hark(['doctor', '--fix'], {
      ...network,
      npm_config_cache: join(this.folder, 'cache'),
      SERVICE_DATA_DIR: data,
    });
  }

  async start(environment: Readonly<Record<string, string>> = {}): Promise<StartedHark> {
    const data = join(this.folder, 'data');
    mkdirSync(data, { recursive: true });
    // Loaded here: the service of tests works in the runner of tests alone, and benchmarks install hark as well.
    const { first, StartedHark } = await import('./startedHark.ts');
    const child = this.spawn([this.bin, 'start'], { SERVICE_DATA_DIR: data, ...environment });
    const { ports } = await first(child, (line) => readyShape.safeParse(JSON.parse(line)).data);
    return new StartedHark(child, ports.health);
  }
}

export function mebibytesOf(folder: string): number {
  const files = globSync('**/*', { cwd: folder });
  const blocks = files.reduce((sum, file) => sum + lstatSync(join(folder, file)).blocks, 0);
  return (blocks * BLOCK) / MIB;
}
