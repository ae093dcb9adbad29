import assert from 'node:assert/strict';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { bringBeliefs } from '../support/memories.ts';
import { InProcessService } from '../support/service.ts';

interface Pairs {
  readonly contradictions: readonly {
    readonly conclusions: readonly { readonly id: string }[];
    readonly settled: { readonly as: string; readonly conclusionId: string } | null;
  }[];
  readonly count: number;
}

describe('a contradiction in the started service', () => {
  let service: InProcessService;
  const pairs = async (status: string) => {
    const { body } = await service.get<Pairs>(`/api/memory/contradictions?status=${status}`);
    return body.contradictions.map(({ conclusions, settled }) => [
      ...conclusions.map(({ id }) => id).toSorted(),
      settled?.as,
    ]);
  };
  const believed = async () => {
    const { body } = await service.get<{ conclusions: readonly { id: string; contradicts: string[] }[] }>(
      '/api/memory/conclusions',
    );
    return body.conclusions.map(({ id }) => id).toSorted();
  };
  const decide = (decision: string, [id, contradicts] = ['berlin', 'oslo']) =>
    service.put(`/api/memory/contradictions/${id}/${contradicts}`, { decision });

  beforeAll(async () => {
    service = await InProcessService.start({ API_RATE_LIMIT: '100000' });
  });
  beforeEach(async () => {
    await service.ask('DELETE', '/api/memory', {});
    await bringBeliefs(service, [
      { id: 'berlin', text: 'The user lives in Berlin', contradicts: ['oslo'], at: 1_000 },
      { id: 'oslo', text: 'The user lives in Oslo', contradicts: ['berlin'], at: 2_000 },
    ]);
  });
  afterAll(() => service.stop());

  test('is listed until somebody says which one is right, and that can be taken back', async () => {
    assert.deepEqual(await pairs('open'), [['berlin', 'oslo', undefined]]);
    assert.equal((await decide('keep')).status, 200);
    assert.deepEqual([await pairs('open'), await believed()], [[], ['berlin']]);
    assert.deepEqual(await pairs('settled'), [['berlin', 'oslo', 'kept']]);
    assert.equal((await decide('open')).status, 200);
    assert.deepEqual(
      [await pairs('open'), await believed()],
      [[['berlin', 'oslo', undefined]], ['berlin', 'oslo']],
    );
  });

  test('of which both were true in their time leaves what was heard of last', async () => {
    await decide('in-their-time');
    assert.deepEqual(await believed(), ['oslo']);
    await decide('keep');
    assert.deepEqual(await believed(), ['berlin']);
    await decide('no-contradiction');
    assert.deepEqual(await believed(), ['berlin', 'oslo']);
    assert.deepEqual(await pairs('settled'), [['berlin', 'oslo', 'no-contradiction']]);
  });

  test('that nobody has found is unknown, and so is one of which a side was erased', async () => {
    assert.equal((await decide('keep', ['berlin', 'rome'])).status, 404);
    await service.ask('DELETE', '/api/memory/conclusions/oslo', {});
    assert.equal((await decide('keep')).status, 404);
    assert.deepEqual([await pairs('open'), await pairs('settled')], [[], []]);
  });

  test('is in the why of both, with what was decided and the words', async () => {
    await decide('keep');
    const { body } = await service.get<{
      chain: readonly { type: string; summary: string; words?: string; confidence?: number }[];
      replacedBy: { id: string };
      contradicted: readonly { id: string }[];
    }>('/api/memory/conclusions/oslo/why');
    assert.deepEqual([body.replacedBy.id, body.contradicted.map(({ id }) => id)], ['berlin', ['berlin']]);
    const drawn = body.chain.findLast(({ type }) => type === 'memory.conclusion.drawn');
    assert.deepEqual([drawn?.words, drawn?.confidence], ['The user lives in Oslo', 0.9]);
    assert.ok(body.chain.some(({ summary }) => summary === 'Decided: berlin is right, and oslo was wrong'));
  });
});

describe('a sweep in the started service', () => {
  test('is taken back as a whole or in part, and what was changed since stays', async (t) => {
    const service = await InProcessService.start({ API_RATE_LIMIT: '100000' });
    t.onTestFinished(() => service.stop());
    await service.put('/api/settings', { settings: { pruneConfidenceThreshold: 0.3 } });
    await bringBeliefs(service, [
      { id: 'faint', text: 'The user may like jazz', confidence: 0.2 },
      { id: 'fainter', text: 'The user might own a boat', confidence: 0.1 },
      { id: 'sure', text: 'The user sings' },
    ]);
    const swept = await service.ask<{
      timestamp: number;
      issues: { conclusionId?: string; action: string }[];
    }>('POST', '/api/memory/maintain', { body: {} });
    assert.deepEqual(
      swept.body.issues.filter(({ action }) => action === 'pruned').map(({ conclusionId }) => conclusionId),
      ['faint', 'fainter'],
    );
    const undo = (ids?: readonly string[]) =>
      service.ask<{ undone: string[]; left: string[] }>(
        'POST',
        `/api/memory/maintain/history/${swept.body.timestamp}/undo`,
        { body: ids ? { ids } : {} },
      );
    assert.deepEqual((await undo(['faint'])).body, { undone: ['faint'], left: [] });
    assert.deepEqual((await undo()).body, { undone: ['fainter'], left: ['faint'] });
    const { body } = await service.get<{ count: number }>('/api/memory/conclusions');
    assert.equal(body.count, 3);
    assert.equal(
      (await service.ask('POST', '/api/memory/maintain/history/5/undo', { body: {} })).status,
      404,
    );
  });
});

describe('the activity of memory in the started service', () => {
  test('tells of changes alone, also between two moments', async (t) => {
    const service = await InProcessService.start();
    t.onTestFinished(() => service.stop());
    interface Changes {
      readonly changes: readonly { from: number; to: number; count: number; type: string }[];
    }
    assert.deepEqual((await service.get<Changes>('/api/events/activity')).body, { changes: [] });
    await service.ask('POST', '/api/memory/conclusions', { body: { text: 'I sing', type: 'explicit' } });
    const { body } = await service.get<Changes>('/api/events/activity');
    assert.deepEqual(
      body.changes.map(({ count, type }) => [count, type]),
      [[1, 'memory.conclusion.drawn']],
    );
    const { from = 0 } = body.changes[0] ?? {};
    assert.deepEqual((await service.get<Changes>(`/api/events/activity?from=${from}`)).body, body);
    assert.deepEqual((await service.get<Changes>(`/api/events/activity?to=${from - 1}`)).body, {
      changes: [],
    });
  });
});
