import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { temporaryFolder } from '../../support/dataDirectory.ts';
import { InProcessService } from '../../support/service.ts';

describe('the OpenAPI document', () => {
  const folder = temporaryFolder('openapi');
  const file = join(folder, 'openapi.json');
  let service: InProcessService;
  beforeAll(async () => {
    service = await InProcessService.start();
    writeFileSync(file, (await service.get('/api/openapi.json')).text);
  });
  afterAll(() => service.stop());

  /** Fails with what the tool printed. */
  const run = (tool: string, ...args: readonly string[]) => {
    const program = join(import.meta.dirname, 'node_modules/.bin', tool);
    const env = { PATH: process.env.PATH, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    try {
      return execFileSync(process.execPath, [program, ...args], {
        cwd: folder,
        env,
        encoding: 'utf8',
        stdio: 'pipe',
      });
    } catch (error) {
      return assert.fail(`${tool}: ${Object(error).stdout}${Object(error).stderr}`.slice(0, 5_000));
    }
  };

  test('passes Redocly', () => {
    run('redocly', 'lint', file, '--extends=recommended', '--max-problems=20');
  });

  test('passes Spectral', () => {
    writeFileSync(join(folder, 'spectral.json'), JSON.stringify({ extends: ['spectral:oas'] }));
    run('spectral', 'lint', file, '--ruleset', join(folder, 'spectral.json'), '--fail-severity', 'error');
  });

  test('gives types that compile, and say what is asked and answered', () => {
    const types = join(folder, 'hark.d.ts');
    run('openapi-typescript', file, '--output', types);
    assert.match(readFileSync(types, 'utf8'), /"\/api\/chat": \{/);
    writeFileSync(
      join(folder, 'use.ts'),
      `import type { operations, paths } from './hark.js';
      type Asked = NonNullable<paths['/api/chat']['post']['requestBody']>['content']['application/json'];
      export const asked: Asked = { text: 'Hello' };
      // @ts-expect-error what is said has to be a text
      export const wrong: Asked = { text: 1 };
      export type Forgotten = operations['openai.forgetResponse']['responses'][200]['content']['application/json'];
      export const gone: Forgotten = { id: 'resp_1', object: 'response', deleted: true };`,
    );
    run('tsc', '--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext', 'use.ts');
  });
});
