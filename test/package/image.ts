import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { npm } from './npm.ts';

const clone = join(import.meta.dirname, '../..');
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';
const RUNTIME = 'gcr.io/distroless/nodejs24-debian12:nonroot';
const LIBRARIES = ['base-files', 'libc6', 'libgcc-s1', 'libstdc++6'];
const imageShape = z.object({
  Docker: z.object({
    architecture: z.string(),
    config: z.object({
      User: z.string(),
      WorkingDir: z.string(),
      Env: z.array(z.string()),
      Entrypoint: z.array(z.string()),
      Cmd: z.array(z.string()),
      Labels: z.record(z.string(), z.string()),
      Volumes: z.record(z.string(), z.unknown()),
      ExposedPorts: z.record(z.string(), z.unknown()),
      StopSignal: z.string(),
      Healthcheck: z.object({ Test: z.array(z.string()), Timeout: z.number() }),
    }),
  }),
});

/** What an image says of itself. */
export type ImageConfig = z.output<typeof imageShape>['Docker']['config'];

/** What lies in it. */
interface Entry {
  readonly path: string;
  /** As `find` names it: `f`, `d`, `l` … */
  readonly kind: string;
  readonly user: number;
  readonly group: number;
  readonly mode: number;
}

/**
 * The image of the Dockerfile, built by Debian's buildah, whose programs run in a chroot: no engine is needed, and no
 * registry of images. What its stages begin with comes from this machine's packages under the names of the Dockerfile,
 * with the files that those images have, and with the Node that is pinned. The stage that packs is given the tarball.
 */
export class BuiltImage implements Disposable {
  readonly config: ImageConfig;
  /** Where its files lie. */
  readonly root: string;
  readonly entries: readonly Entry[];
  readonly mebibytes: number;
  readonly #folder = mkdtempSync(join(tmpdir(), 'hark-image-'));

  constructor(tarball: string) {
    try {
      const context = join(this.#folder, 'pack');
      mkdirSync(join(context, 'tmp'), { recursive: true });
      copyFileSync(tarball, join(context, 'tmp/hark-agent-0.tgz'));
      this.#base(RUNTIME, 'scratch', addRuntime, [
        ...['--user', '65532', '--env', `SSL_CERT_FILE=${CERTIFICATES}`, '--workingdir', '/home/nonroot'],
      ]);
      // It has more, and the same Node at another place: what is the same is not copied twice.
      this.#base('docker.io/library/node:24-bookworm-slim', RUNTIME, addBuilder, ['--user', '0']);
      const userSettings = join(homedir(), '.npmrc');
      const seen = [
        ...['--volume', `${npm(['config', 'get', 'cache'], clone).trim()}:/npm`],
        ...['--volume', '/etc/ssl/certs:/etc/ssl/certs:ro'],
        ...(existsSync(userSettings) ? ['--volume', `${userSettings}:/root/.npmrc:ro`] : []),
      ];
      // Only of this format has an image a health check.
      const asked = [
        '--isolation',
        'chroot',
        '--pull-never',
        '--format',
        'docker',
        '--quiet',
        '--tag',
        'hark',
      ];
      this.#buildah('bud', ...asked, ...seen, '--build-context', `pack=${context}`, clone);
      const told = imageShape.parse(JSON.parse(this.#buildah('inspect', '--type', 'image', 'hark')));
      this.config = told.Docker.config;
      this.root = this.#buildah('mount', this.#buildah('from', '--pull-never', 'hark'));
      this.mebibytes = Number(run('du', ['-sxm', this.root]).split('\t')[0]);
      const lines = run('find', [
        this.root,
        '-xdev',
        '-mindepth',
        '1',
        '-printf',
        '%P\\t%y\\t%U\\t%G\\t%m\\n',
      ])
        .trim()
        .split('\n');
      this.entries = lines.map((line) => {
        const [path = '', kind = '', user, group, mode = ''] = line.split('\t');
        return { path, kind, user: Number(user), group: Number(group), mode: Number.parseInt(mode, 8) };
      });
    } catch (error) {
      this[Symbol.dispose]();
      throw error;
    }
  }

  [Symbol.dispose](): void {
    this.#buildah('umount', '--all');
    this.#buildah('rm', '--all');
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #base(name: string, from: string, fill: (files: string) => void, config: readonly string[]): void {
    const container = this.#buildah('from', '--pull-never', from);
    fill(this.#buildah('mount', container));
    const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
    this.#buildah('config', '--env', `PATH=${path}`, ...config, container);
    this.#buildah('commit', '--quiet', '--rm', container, name);
  }

  #buildah(...args: readonly string[]): string {
    const store = ['--root', join(this.#folder, 'store'), '--runroot', join(this.#folder, 'run')];
    return run('buildah', [...store, ...args]).trim();
  }
}

/** Debian with Node and npm, as the official image of Node has them. */
function addBuilder(files: string): void {
  const programs = ['dash', 'coreutils', 'grep', 'tar', 'gzip'];
  const theirs = ['libacl1', 'libattr1', 'libselinux1', 'libpcre2-8-0', 'libgmp10'];
  addPackages(files, [...programs, ...theirs]);
  const local = join(files, 'usr/local');
  for (const folder of ['bin', 'lib/node_modules']) mkdirSync(join(local, folder), { recursive: true });
  symlinkSync('/nodejs/bin/node', join(local, 'bin/node'));
  const [npmHere = ''] = run('npm', ['root', '--global']).split('\n');
  cpSync(realpathSync(join(npmHere, 'npm')), join(local, 'lib/node_modules/npm'), { recursive: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm'));
  // The way to the registry is this machine's.
  const registry = npm(['config', 'get', 'registry'], clone).trim();
  const settings = [
    `registry=${registry}`,
    'cache=/npm',
    'prefer-offline=true',
    'fetch-retries=1',
    `cafile=${CERTIFICATES}`,
  ];
  mkdirSync(join(files, 'nodejs/etc'));
  writeFileSync(join(files, 'nodejs/etc/npmrc'), settings.join('\n'));
}

/** Node alone: no shell, no package manager, and a user beside root. */
function addRuntime(files: string): void {
  addPackages(files, LIBRARIES);
  for (const folder of ['bin', 'sbin'])
    for (const file of readdirSync(join(files, 'usr', folder))) rmSync(join(files, 'usr', folder, file));
  for (const folder of ['nodejs/bin', 'etc/ssl/certs', 'home/nonroot'])
    mkdirSync(join(files, folder), { recursive: true });
  copyFileSync(realpathSync(process.execPath), join(files, 'nodejs/bin/node'));
  copyFileSync(CERTIFICATES, join(files, CERTIFICATES));
  writeFileSync(
    join(files, 'etc/passwd'),
    'root:x:0:0::/root:/sbin/nologin\nnonroot:x:65532:65532::/home/nonroot:/sbin/nologin\n',
  );
  writeFileSync(join(files, 'etc/group'), 'root:x:0:\nnonroot:x:65532:\n');
}

/** Their files as they lie on this machine, which is a Debian too. */
function addPackages(files: string, names: readonly string[]): void {
  for (const folder of ['usr/bin', 'usr/sbin', 'usr/lib', 'usr/lib64', 'tmp'])
    mkdirSync(join(files, folder), { recursive: true });
  const paths = run('dpkg', ['--listfiles', ...names])
    .split('\n')
    .filter((path) => path !== '' && path !== '/.' && existsSync(path));
  const isFolder = (path: string) => lstatSync(path).isDirectory();
  const list = paths.filter((path) => !isFolder(path)).join('\n');
  const archive = run('tar', ['-C', '/', '--no-recursion', '-cf', `${files}.tar`, '-T', '-'], list);
  if (archive !== '') throw new Error(archive);
  run('tar', ['-C', files, '-xf', `${files}.tar`]);
  rmSync(`${files}.tar`);
  // Folders are made, not packed: others write into those of this machine while tar reads them, and it fails then.
  for (const path of paths.filter(isFolder)) {
    mkdirSync(join(files, path), { recursive: true });
    chmodSync(join(files, path), lstatSync(path).mode);
  }
}

function run(command: string, args: readonly string[], input = ''): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8', input });
  if (status !== 0)
    throw new Error(`${command} ${args[0]} failed: ${error?.message ?? ''}\n${stderr}\n${stdout}`);
  return stdout;
}
