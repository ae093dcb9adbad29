import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { ToolRegistry } from '../../src/application/chat/toolRegistry.ts';
import type { DeviceAccess } from '../../src/application/deviceScope.ts';
import { InProcessService } from '../support/service.ts';

type Granted = Readonly<Partial<Record<DeviceAccess, readonly string[]>>>;

/** All that is not `never`: what devices are granted is written down twice, once here. */
const operations: Granted = {
  proof: ['devices.register', 'devices.challenge', 'devices.authenticate'],
  own: ['devices.show', 'devices.rotate'],
  always: [
    ...[
      'chat.send',
      'chat.sessions',
      'chat.stream',
      'chat.follow',
      'chat.cancel',
      'chat.chooseBranch',
      'chat.history',
      'chat.images',
      'chat.endSession',
      'chat.task',
      'chat.turns',
    ],
    ...['openai.complete', 'openai.respond', 'openai.response'],
    ...['notifications.list', 'notifications.send', 'notifications.change'],
    ...['health.live', 'health.figures', 'health.service', 'health.exposition'],
    'voice.sessions',
  ],
  voice: ['voice.status'],
  capture: [...['capture.start', 'capture.stop', 'capture.streams'], ...['capture.segment', 'capture.pause']],
  trust2: [
    ...[
      'memory.episodes',
      'memory.extent',
      'memory.items',
      'memory.profile',
      'memory.search',
      'memory.context',
      'memory.ask',
    ],
    ...['conclusions.list', 'conclusions.why', 'contradictions.list', 'preferences.get'],
    ...['entities.list', 'entities.stats', 'entities.show'],
    ...['entities.episodes', 'entities.conclusions', 'entities.relationships', 'entities.neighbourhood'],
    ...['scheduler.list', 'scheduler.show', 'scheduler.create', 'scheduler.cancel'],
    ...['scheduler.preview', 'scheduler.runs'],
  ],
  trust3: [
    ...['conclusions.state', 'conclusions.restore', 'contradictions.settle', 'memory.changeProfile'],
    ...['conclusions.dismiss', 'conclusions.restoreSome'],
    ...['entities.change', 'entities.merge', 'entities.unmerge'],
  ],
};

const tools: Granted = {
  always: ['clock.now', 'discover_tools', 'notify.send', 'session.status'],
  voice: ['voice.listen', 'voice.speak'],
  trust2: [
    ...['memory.ask_about_user', 'memory.search'],
    ...['schedule.cancel', 'schedule.create', 'schedule.list'],
  ],
  inChat: ['memory.correct', 'memory.remember'],
};

function granted(all: readonly { readonly name: string; readonly device: DeviceAccess }[]): Granted {
  const by = Map.groupBy(
    all.filter(({ device }) => device !== 'never'),
    ({ device }) => device,
  );
  return Object.fromEntries(
    Array.from(by, ([access, some]) => [access, some.map(({ name }) => name).sort()]),
  );
}

function sorted(all: Granted): Granted {
  return Object.fromEntries(Object.entries(all).map(([access, names]) => [access, names.toSorted()]));
}

describe('devices are granted', () => {
  let service: InProcessService;
  let registry: ToolRegistry | undefined;
  beforeAll(async () => {
    service = await InProcessService.start({}, { onTools: (given) => (registry = given) });
  });
  afterAll(() => service.stop());

  it('these operations, and nothing else', () => {
    assert.deepEqual(granted(service.operations), sorted(operations));
  });

  it('these tools, and nothing else', () => {
    assert.deepEqual(granted(registry?.list() ?? []), sorted(tools));
  });
});
