import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { outcomeOf } from '../interfaces/cli/hark.ts';
import { skippedFor } from '../support/skippedFor.ts';
import { Container } from './container.ts';
import { BuiltImage } from './image.ts';
import { PackedHark } from './installed.ts';

const MOST_MEBIBYTES = 350;
/** What `docker stop` gives it before it kills. */
const STOP_MS = 10_000;
const USER = 65_532;
const NODE = '/nodejs/bin/node';
const HARK = [NODE, '/app/node_modules/hark-agent/bin/hark.js'];
const missing = skippedFor(
  process.getuid?.() !== 0
    ? 'no root, whom namespaces ask for'
    : !existsSync('/usr/bin/buildah') && 'no buildah',
);

describe('the image of the Dockerfile', missing, () => {
  let packed: PackedHark;
  let image: BuiltImage;
  beforeAll(() => {
    packed = new PackedHark();
    image = new BuiltImage(packed.tarball);
  });
  afterAll(() => {
    image?.[Symbol.dispose]();
    packed?.[Symbol.dispose]();
  });

  test(`has hark, what it uses, and nothing to build with, in ${MOST_MEBIBYTES} MiB`, () => {
    const modules = join(image.root, 'app/node_modules');
    assert.deepEqual(readdirSync(join(image.root, 'app')).sort(), ['compiled', 'node_modules']);
    assert.deepEqual(readdirSync(modules).sort(), [
      ...[
        '.bin',
        '.package-lock.json',
        '@echogarden',
        'hark-agent',
        'onnxruntime-common',
        'onnxruntime-node',
      ],
      ...[`sherpa-onnx-linux-${process.arch}`, 'sherpa-onnx-node'],
    ]);
    assert.deepEqual(readdirSync(join(modules, 'hark-agent')).sort(), [
      ...[
        'CHANGELOG.md',
        'LICENSE',
        'README.md',
        'SECURITY.md',
        'bin',
        'dist',
        'docs',
        'migrations',
        'package.json',
      ],
    ]);
    const theirs = image.entries.filter(({ path }) => !/^(app|etc|usr\/lib)\//.test(path));
    const programs = theirs.filter(({ kind, mode }) => kind === 'f' && (mode & 0o111) !== 0);
    assert.deepEqual(
      programs.map(({ path }) => path),
      ['nodejs/bin/node'],
    );
    const tools = image.entries.filter(({ path }) => /\/(npm|npx|sh|bash|apt)$/.test(path));
    assert.deepEqual(tools, []);
    assert.ok(existsSync(join(modules, 'hark-agent/dist/LICENCES.txt')));
    assert.ok(image.mebibytes <= MOST_MEBIBYTES, `${image.mebibytes}`);
  });

  test('says what it is, and how it is run, watched and stopped', () => {
    const { config } = image;
    assert.equal(config.Labels['org.opencontainers.image.licenses'], 'MIT');
    assert.deepEqual([config.User, config.WorkingDir, config.StopSignal], [`${USER}`, '/data', 'SIGTERM']);
    assert.deepEqual(Object.keys(config.Volumes), ['/data']);
    assert.deepEqual(Object.keys(config.ExposedPorts).sort(), ['3000/tcp', '4100/tcp', '4102/tcp']);
    assert.deepEqual([config.Entrypoint[0], config.Entrypoint.at(-1), ...config.Cmd], [...HARK, 'start']);
  });

  test('belongs to root but for its data, so that nobody within can change the program', () => {
    const theirs = image.entries.filter(
      ({ kind, user, group, mode }) =>
        kind !== 'l' &&
        (user === USER || (group === USER && (mode & 0o020) !== 0) || (mode & 0o1002) === 0o002),
    );
    assert.deepEqual(
      theirs.map(({ path }) => path),
      ['data'],
    );
  });

  test('starts as process 1 with no rights, is healthy, keeps its data, and ends when asked', async () => {
    using container = new Container(image);
    await using running = await container.start();
    for (const line of [/^NSpid:\t\d+\t1$/m, /^Uid:\t65532\t65532\t65532\t65532$/m, /^NoNewPrivs:\t1$/m])
      assert.match(running.status, line);
    for (const rights of ['CapInh', 'CapPrm', 'CapEff', 'CapAmb'])
      assert.match(running.status, new RegExp(`^${rights}:\t0+$`, 'm'));
    const writing = `for (const folder of ['/', '/app', '/etc', '/data', '/tmp']) {
      try { fs.writeFileSync(folder + '/x', ''); console.log(folder); } catch (error) { console.log(folder, error.code); }
    }`;
    assert.deepEqual((await running.exec(NODE, '-e', writing)).stdout.trim().split('\n'), [
      ...['/ EROFS', '/app EROFS', '/etc EROFS', '/data', '/tmp'],
    ]);

    const [kind, ...check] = image.config.Healthcheck.Test;
    assert.equal(kind, 'CMD');
    const healthy = await running.exec(...check);
    assert.equal(healthy.code, 0, healthy.stderr + healthy.stdout);
    const doctor = await running.exec(...HARK, 'doctor');
    assert.match(doctor.stdout, /ok +onnxruntime +onnxruntime [\d.]+ runs models here/, doctor.stdout);

    const began = performance.now();
    assert.equal(await running.stop(), 0);
    assert.ok(performance.now() - began < STOP_MS);
    await using again = await container.start();
    const ended = await again.exec(...HARK, 'events', 'list', '--type', 'system.instance.stopped');
    assert.match(ended.stdout, /system\.instance\.stopped/, ended.stdout + ended.stderr);
  });

  test('runs as any other user, whom it does not know', async () => {
    using container = new Container(image, '1234');
    await using running = await container.start();
    assert.match(running.status, /^Uid:\t1234\t/m);
    const [, ...check] = image.config.Healthcheck.Test;
    assert.equal((await running.exec(...check)).code, 0);
    const asking = `
      const headers = { authorization: 'Bearer ' + fs.readFileSync('/run/secrets/hark-key', 'utf8') };
      fetch('http://127.0.0.1:4102/api/memory/sources', { headers }).then((answer) => console.log(answer.status));`;
    assert.equal((await running.exec(NODE, '-e', asking)).stdout.trim(), '200');
  });

  test('starts with what was compiled when it was built', async () => {
    using container = new Container(image);
    const version = container.run(['--version'], { NODE_DEBUG_NATIVE: 'COMPILE_CACHE' });
    const { stderr } = await outcomeOf(version);
    assert.match(stderr, /was accepted/);
  });

  test('does not start for everybody without a key', async () => {
    using container = new Container(image);
    const { code, stderr, stdout } = await outcomeOf(container.run(image.config.Cmd, {}));
    assert.equal(code, 78);
    assert.match(stdout + stderr, /SERVICE_API_KEY/);
  });
});
