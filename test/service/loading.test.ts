import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { onTestFinished, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const urlOf = (path: string) => JSON.stringify(pathToFileURL(join(ROOT, path)));

function printed(script: string): string {
  return execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
    cwd: ROOT,
  });
}

test('a service that starts loads neither the fetch of Node nor the parser of the command line, and no rules of language', () => {
  const loaded = printed(`
    import { registerHooks } from 'node:module';
    const urls = [];
    registerHooks({ load: (url, context, next) => (urls.push(url), next(url, context)) });
    await import(${urlOf('src/interfaces/cli/failure.ts')});
    await import(${urlOf('src/wiring/service.ts')});
    await import(${urlOf('src/interfaces/rest/server.ts')});
    await import(${urlOf('src/interfaces/mcp/server.ts')});
    console.log([...urls, ...process.moduleLoadList].join('\\n'));`);
  assert.match(loaded, /src\/wiring\/service\.ts/);
  for (const needless of [
    /undici/,
    /commander/,
    /modelcontextprotocol/,
    /openai\/index/,
    /opentelemetry/,
    /language\/(statements|requests|when)/,
  ])
    assert.doesNotMatch(loaded, needless);
});

test('a service that starts builds next to no schema of its operations and events', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hark-loading-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const ports = { HEALTH_PORT: '0', MCP_PORT: '0', AUDIO_PORT: '0' };
  const environment = {
    ...ports,
    SERVICE_DATA_DIR: folder,
    SERVICE_KVSTORE_URL: 'memory',
    LOG_LEVEL: 'silent',
  };
  const built = printed(`
    let built = 0;
    Error.stackTraceLimit = 30;
    // What zod calls with each schema that it has built.
    globalThis.__zod_globalConfig = {
      postProcessor: () => (built += /src.(events|interfaces.(operations|openai|tools))/.test(new Error().stack) ? 1 : 0),
    };
    const { readConfig } = await import(${urlOf('src/config.ts')});
    const { createLogger } = await import(${urlOf('src/logger.ts')});
    const { startService } = await import(${urlOf('src/wiring/service.ts')});
    await startService(readConfig(${JSON.stringify(environment)}), createLogger('silent'));
    const atStart = built;
    await import(${urlOf('src/interfaces/operations/memoryShapes.ts')}).then(({ conclusionView }) => conclusionView());
    console.log(atStart, built > atStart);
    process.exit();`);
  const [atStart, isCounting] = built.trim().split(' ');
  assert.ok(Number(atStart) < 60, built);
  assert.equal(isCounting, 'true');
});

test('modules are found where Node would find them, and no language of zod but English is loaded', () => {
  const everything = `
    import { registerHooks } from 'node:module';
    const urls = [];
    registerHooks({ load: (url, context, next) => (urls.push(url), next(url, context)) });`;
  const load = `await import(${urlOf('src/wiring/service.ts')}); console.log(urls.sort().join('\\n'));`;
  const hooks = `const { resolve, setFolder } = await import(${urlOf('bin/imports.js')});
    setFolder(${urlOf('src')} + '/', 'ts');
    registerHooks({ resolve });
    urls.length = 0;`;
  const quickly = printed(everything + hooks + load).split('\n');
  const slowly = printed(everything + load).split('\n');
  const isLanguage = (url: string) => /zod\/v4\/locales\/(?!en\.js)/.test(url);
  assert.ok(slowly.some(isLanguage));
  assert.deepEqual(
    quickly.filter((url) => !url.startsWith('data:')),
    slowly.filter((url) => !isLanguage(url)),
  );
});
