import assert from 'node:assert/strict';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { ScriptedModels } from '../../src/demo/model/scriptedModels.ts';
import { providersAt } from './models/environment.ts';
import { unsetBackgroundSlots } from './quietSlots.ts';
import { InProcessService } from './service.ts';

interface ModelledService {
  readonly models: ScriptedModels;
  readonly service: InProcessService;
  /** What a model was told last: by the tool that it called, where it called one. */
  readonly toldLast: string;
}

const LIMITS = { API_RATE_LIMIT: '100000', CHAT_RATE_LIMIT: '100000' };

/**
 * For the tests of a `describe`: one service, whose models say what each test scripts. They are asked for nothing else,
 * unless the slots stay as the service chooses them.
 */
export function modelledService(
  environment: Readonly<Record<string, string>> = {},
  { slots = 'for the foreground' }: { readonly slots?: 'for the foreground' | 'as chosen' } = {},
): ModelledService {
  let models: ScriptedModels | undefined;
  let service: InProcessService | undefined;
  beforeAll(async () => {
    models = await ScriptedModels.start();
    service = await InProcessService.start({ ...LIMITS, ...providersAt(models), ...environment });
    if (slots === 'for the foreground') await unsetBackgroundSlots(service);
  });
  afterEach(() => models?.reset());
  afterAll(async () => {
    await service?.stop();
    await models?.stop();
  });
  return {
    get models() {
      return models ?? assert.fail('The models are not there yet');
    },
    get service() {
      return service ?? assert.fail('The service is not there yet');
    },
    get toldLast() {
      return models?.requests.at(-1)?.lastText ?? '';
    },
  };
}
