import assert from 'node:assert/strict';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { ScriptedModels } from '../../../src/demo/model/scriptedModels.ts';
import type { ProviderId } from '../../../src/vocabulary.ts';

interface ScriptedProvider<Client> {
  readonly models: ScriptedModels;
  readonly client: Client;
}

/** What fails is seen at once, and once. */
export const FAILS_AT_ONCE = { maxRetries: 0, logLevel: 'off' } as const;

/** For the tests of a `describe`: a provider that says what each test scripts, and its official client, which asks it. */
export function scriptedProvider<Client>(
  provider: ProviderId,
  clientAt: (url: string) => Client,
): ScriptedProvider<Client> {
  let started: ScriptedProvider<Client> | undefined;
  beforeAll(async () => {
    const models = await ScriptedModels.start();
    started = { models, client: clientAt(models.url(provider)) };
  });
  afterEach(() => started?.models.reset());
  afterAll(() => started?.models.stop());
  const there = () => started ?? assert.fail('The provider is not there yet');
  return {
    get models() {
      return there().models;
    },
    get client() {
      return there().client;
    },
  };
}
