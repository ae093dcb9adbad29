import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import { calls, says } from '../../src/demo/model/script.ts';
import { modelledService } from '../support/modelledService.ts';
import { TEST_NOW } from '../support/service.ts';

interface Counted {
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly usd: number | null;
}
interface Spent {
  readonly total: Counted;
  readonly days: readonly (Counted & { readonly day: string })[];
  readonly models: readonly (Counted & { readonly provider: string; readonly model: string })[];
  readonly sessions: readonly (Counted & { readonly sessionId: string })[];
}

interface Priced {
  readonly usd?: number;
  readonly metadata?: { readonly usd?: number };
}

const DAY = 86_400_000;
const usage = { inputTokens: 1_000_000, outputTokens: 100_000 };

describe('what turns have asked of models', () => {
  const set = modelledService();
  const spent = async (query = '') => (await set.service.get<Spent>(`/api/spend${query}`)).body;
  const loggedOf = async (topics: string) =>
    (await set.service.get<{ events: { data: Priced }[] }>(`/api/events?topics=${topics}`)).body.events;
  const chat = async (text: string, sessionId: string) => {
    const { status, text: told } = await set.service.ask('POST', '/api/chat', { body: { text, sessionId } });
    assert.equal(status, 200, told);
  };

  test('is counted step for step, by day, model and session, at the prices of then', async () => {
    assert.deepEqual(await spent(), {
      total: { requests: 0, inputTokens: 0, outputTokens: 0, usd: 0 },
      days: [],
      models: [],
      sessions: [],
    });
    const others = { reasoning: null, coding: null, tool_calling: null, creative: null };
    await set.service.put('/api/slots', {
      slots: { chat: { provider: 'cloud-a', model: 'claude-haiku-4-5' }, ...others },
    });
    set.models.script([
      { ...says(calls('clock.now')), usage },
      { ...says('Noon'), usage },
    ]);
    await chat('What time is it, exactly, in words?', 'first');
    await set.service.advance(DAY);
    set.models.script({ ...says('Tea'), usage });
    await chat('What shall I drink with my cake this afternoon?', 'second');
    const { total, days, models, sessions } = await spent();
    assert.deepEqual([total.requests, total.inputTokens, total.outputTokens], [3, 3_000_000, 300_000]);
    assert.ok(total.usd !== null && total.usd > 0);
    assert.deepEqual(
      days.map(({ day, requests }) => [day, requests]),
      [
        ['2023-11-14', 2],
        ['2023-11-15', 1],
      ],
    );
    assert.deepEqual(
      models.map(({ provider, model, requests }) => [provider, model, requests]),
      [['cloud-a', 'claude-haiku-4-5', 3]],
    );
    assert.deepEqual(
      sessions.map(({ sessionId, requests }) => [sessionId, requests]),
      [
        ['second', 1],
        ['first', 2],
      ],
    );
    assert.deepEqual((await spent('?days=1')).days.length, 1);
    const [step, reply] = (await loggedOf('chat.step.taken,chat.reply.sent')).map(({ data }) => data);
    assert.ok(typeof step?.usd === 'number' && typeof reply?.usd === 'number');
    assert.equal(reply.metadata?.usd, step.usd + reply.usd);
    assert.ok(Math.abs(total.usd - 3 * step.usd) < 1e-9);
  });

  test('is shown as it was, whatever came and whatever prices are now', async () => {
    const { total, days, sessions } = await spent(`?at=${TEST_NOW + DAY - 1}`);
    assert.deepEqual([total.requests, days.length, sessions.length], [2, 1, 1]);
    assert.deepEqual((await spent(`?at=${TEST_NOW - 1}`)).days, []);
    assert.equal((await spent('?days=0')).total, undefined);
  });
});
