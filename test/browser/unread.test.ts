import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { browserIsMissing, type OpenPage } from '../support/browser.ts';
import { ensureBuilt } from '../support/dashboard.ts';
import { temporaryFolder } from '../support/dataDirectory.ts';
import { bringBeliefs } from '../support/memories.ts';
import { EventReader, InProcessService, TEST_NOW } from '../support/service.ts';
import { openPage } from '../support/sharedBrowser.ts';
import { skippedFor } from '../support/skippedFor.ts';

const folder = temporaryFolder('browser-unread');

interface View {
  readonly path: string;
  /** What is refused. */
  readonly reads: RegExp;
  /** What it says as soon as that is read; until then nobody knows that it is so. */
  readonly says: string;
  readonly open?: (page: Page) => Promise<unknown>;
}

const views: Readonly<Record<string, View>> = {
  'the runs of a task': {
    path: '/schedules/TASK',
    reads: /\/runs\?/,
    says: 'It has not run yet.',
  },
  'the executions of a workflow': {
    path: '/workflows/tea',
    reads: /\/api\/workflows\/executions\?/,
    says: 'It has not run yet.',
  },
  'what is believed of an entity': {
    path: '/entities/ENTITY',
    reads: /\/api\/entities\/[^/]+\/conclusions/,
    says: 'Nothing is believed of it.',
  },
  'what an entity is related to': {
    path: '/entities/ENTITY',
    reads: /\/neighbourhood/,
    says: 'The same as a table',
  },
  'the deliveries of a webhook': {
    path: '/webhooks?open=WEBHOOK',
    reads: /\/deliveries/,
    says: 'Nothing to be told yet',
  },
  'what records': {
    path: '/capture',
    reads: /\/api\/capture\/streams/,
    says: 'Nothing is being recorded',
  },
  'what a sweep was about': {
    path: '/last-night?show=otherwise&prune=0.95',
    reads: /\/api\/memory\/episodes/,
    says: 'The user drinks tea',
  },
  'the figures of the service': {
    path: '/status',
    reads: /\/api\/health\/figures/,
    says: 'Requests a minute',
  },
  'how much would be erased': {
    path: '/memory',
    reads: /\/api\/memory\/extent/,
    says: 'Nobody will be able to read this any more:',
    open: async (page) => {
      await page.getByRole('button', { name: 'What can be done' }).first().click();
      await page.getByRole('menuitem', { name: 'Erase for good…' }).click();
      await page.getByRole('radio', { name: 'With the words that it came from' }).check();
    },
  },
  'what was then': {
    path: `/memory?at=${TEST_NOW + 30_000}&then=compare`,
    reads: /\/api\/entities\?at/,
    says: 'Nothing is different now.',
  },
};

describe('what cannot be read', { ...skippedFor(browserIsMissing) }, () => {
  let service: InProcessService;
  let opened: OpenPage;
  let page: Page;
  const ids: Record<string, string> = {};
  beforeAll(async () => {
    ensureBuilt();
    mkdirSync(join(folder, 'workflows'));
    writeFileSync(join(folder, 'workflows/tea.yaml'), TEA, { mode: 0o600 });
    service = await InProcessService.start({ API_RATE_LIMIT: '100000', SERVICE_DATA_DIR: folder });
    Object.assign(ids, await fill(service));
    opened = await openPage(`${service.url}/nowhere`);
    page = opened.page;
  });
  afterAll(async () => {
    assert.deepEqual([opened.complaints, opened.elsewhere], [[], []]);
    await opened[Symbol.asyncDispose]();
    await service.stop();
  });
  const named = (text: string) => text.replace(/[A-Z]{4,}(?:_[A-Z]+)?/, (name) => ids[name] ?? name);

  for (const [name, { path, reads, says, open }] of Object.entries(views))
    test(`${name}: the page says so and nothing else of it, and asks again by itself`, async () => {
      await page.route(reads, refused);
      await page.goto(service.url + named(path));
      await open?.(page);
      await page.getByText('Not now').first().waitFor();
      const said = page.getByText(named(says), { exact: true }).first();
      assert.equal(await said.count(), 0);
      await page.getByText('The page tries again by itself.').first().waitFor();
      await page.unroute(reads);
      await said.waitFor();
      await page.getByText('Not now').first().waitFor({ state: 'detached' });
    });
});

const refused = (route: Route) => route.fulfill({ status: 503, json: { error: 'Not now', retryAfter: 0.3 } });

async function fill(service: InProcessService) {
  const post = async <Body>(path: string, body: object): Promise<Body> => {
    const answer = await service.ask<Body>('POST', path, { body });
    assert.ok(answer.status < 300, `${path}: ${answer.text}`);
    return answer.body;
  };
  const { task } = await post<{ task: { id: string } }>('/api/scheduler/tasks', {
    ...{ name: 'Mum', text: 'Call mum', every: 'weekdays at 7:30' },
  });
  const { webhook } = await post<{ webhook: { id: string } }>('/api/webhooks', {
    ...{ url: 'https://hook.example.org', topics: ['tea.*'] },
  });
  const messages = [{ role: 'user', content: 'My friend Ann lives in Leeds.' }];
  const sessions = [{ id: 'brought', startedAt: TEST_NOW - 5_000, messages }];
  const mentioned = await EventReader.open(
    `${service.url}/api/events/stream?topics=entities.entity.mentioned`,
  );
  await post('/api/memory/import', { source: 'conversation', content: { sessions } });
  await mentioned.next();
  mentioned.close();
  await bringBeliefs(service, [{ id: 'tea', text: 'The user drinks tea' }]);
  const { body } = await service.get<{ entities: { id: string }[] }>('/api/entities?q=Ann');
  await service.advance(60_000);
  return { TASK: task.id, WEBHOOK: webhook.id, ENTITY: body.entities[0]?.id ?? '' };
}

const TEA = `
name: Tea
steps:
  - { id: ready, type: EVENT, topic: tea.ready }
`;
