import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { Understanding } from '../../../src/application/memory/ports.ts';
import { consolidate, deferConsolidation } from '../../../src/commands/memory/consolidate.ts';
import type { NewEvent } from '../../../src/events/definition.ts';
import type { Exchange } from '../../../src/projections/chat/exchange.ts';
import { howToUnderstand, nothingOf, outcomeOf, partOf } from '../../../src/sagas/memory/consolidation.ts';
import { given, NOW } from '../../support/given.ts';

const nothingKnown = { after: null, leftAside: [], prompted: {} };
const over = { isOver: true };
const goesOn = { isOver: false };

/** A turn that the user begins and that is not answered with words, or not at all yet. */
function turn(turnId: string, over: Partial<Exchange> = {}): Exchange {
  const end = { as: 'failed', at: NOW + 1, metadata: {} as never } as const;
  const asked = {
    sessionId: 's',
    platform: 'web',
    origin: 'user',
    text: `Text of ${turnId}`,
    images: [],
  } as const;
  return { turnId, ...asked, at: NOW, steps: [], end, ...over };
}

describe('the part of a session of which memory is made', () => {
  type Known = Partial<Parameters<typeof partOf>[2]>;
  const partIn = (exchanges: Exchange[], occasion: typeof over, known: Known = {}, ...aside: string[]) =>
    partOf({ exchanges, aside: new Set(aside) }, occasion, { ...nothingKnown, ...known });
  const of = (...asked: Parameters<typeof partIn>) => {
    const part = partIn(...asked);
    return typeof part === 'string' ? part : [part.unsettled.map(({ turnId }) => turnId), part.upTo];
  };

  it('is all of it, once it is over', () => {
    assert.deepEqual(of([turn('t1'), turn('t2')], over), [['t1', 't2'], null]);
  });

  it('is what was said before the turn that runs, while it goes on', () => {
    assert.deepEqual(of([turn('t1'), turn('t2', { end: null })], goesOn), [['t1'], 't1']);
  });

  it('is what came after that which was settled before', () => {
    const known = { after: 't1' };
    assert.deepEqual(of([turn('t1'), turn('t2')], over, known), [['t2'], null]);
    assert.equal(of([turn('t1')], over, known), 'settled-before');
  });

  it('is none where all that was said is forgotten', () => {
    assert.equal(of([turn('t1', { text: null })], over), 'erased');
    assert.equal(of([turn('t1', { end: null })], goesOn), 'erased');
  });

  it('is none where a prompt comes that has left its episode, and nobody said anything', () => {
    const prompt = turn('t1', { origin: 'schedule', source: 'task-1' });
    const known = { prompted: { 'task-1': true } as const };
    assert.equal(of([prompt], over, known), 'repeated');
    assert.deepEqual(of([prompt, turn('t2')], over, known), [['t1', 't2'], null]);
    const part = partIn([prompt], over);
    assert.deepEqual(typeof part === 'object' && part.prompted, { source: 'task-1' });
  });

  it('has nothing of what was set aside', () => {
    const said = [turn('t1'), turn('t2'), turn('t3'), turn('t2b')];
    assert.deepEqual(of(said, over, {}, 't2', 't3'), [['t1', 't2b'], null]);
    assert.equal(of([turn('t1'), turn('t1b')], over, { after: 't1b' }, 't1'), 'settled-before');
  });

  it('has what was set aside when the rest was settled, and was taken up since', () => {
    const said = [turn('t1'), turn('t2'), turn('t2b'), turn('t3')];
    const part = partIn(said, over, { after: 't2b', leftAside: ['t2'] }, 't2b');
    assert.ok(typeof part === 'object');
    assert.deepEqual(
      part.unsettled.map(({ turnId }) => turnId),
      ['t2', 't3'],
    );
    assert.equal(part.after, 't1');
  });

  it('remembers while it goes on what was set aside, and may be taken up again', () => {
    const part = partIn([turn('t1'), turn('t2'), turn('t2b')], goesOn, {}, 't2');
    assert.deepEqual(typeof part === 'object' && part.leftAside, ['t2']);
  });
});

describe('a session', () => {
  it('is understood with models where they may be asked, however often it waited', () => {
    for (const deferrals of [0, 5, 9]) assert.equal(howToUnderstand({ safe: true }, deferrals), 'understand');
  });

  it('waits five times where they may not, and is then understood without', () => {
    const busy = { safe: false, reason: 'load' } as const;
    for (const deferrals of [0, 4]) assert.deepEqual(howToUnderstand(busy, deferrals), { waitsFor: 'load' });
    assert.equal(howToUnderstand(busy, 5), 'offline');
  });

  it('that goes on is not settled for nothing', () => {
    assert.deepEqual(nothingOf(over, 'erased'), { skipped: 'erased', episode: null, findings: [] });
    assert.equal(nothingOf(goesOn, 'erased'), undefined);
  });
});

describe('what a session comes to', () => {
  const understood: Understanding = {
    summary: 'A summary',
    topic: 'a topic',
    keywords: [],
    importance: 5,
    reasons: [],
    trivial: false,
    findings: [],
    answer: null,
    by: 'model',
  };
  const session = { sessionId: 's', conversationId: 'c', at: NOW + 100 };
  const words = [{ turnId: 't1', role: 'user', text: 'Hello', at: NOW }] as const;
  const part = { unsettled: words, leftAside: [], upTo: null, prompted: {}, told: { turnId: null } };

  it('is an episode of when it was said, that is kept from when it ended', () => {
    const outcome = outcomeOf(understood, part, { ...session, ...over }, 1_000);
    assert.partialDeepStrictEqual(outcome, {
      skipped: null,
      findings: [],
      episode: {
        type: 'conversation',
        sessionId: 's',
        conversationId: 'c',
        happenedAt: NOW,
        expiresAt: NOW + 1_100,
      },
    });
    assert.ok(outcome && !('upTo' in outcome));
  });

  it('is told up to its last turn while it goes on', () => {
    const outcome = outcomeOf(understood, { ...part, upTo: 't1' }, { ...session, ...goesOn }, 1_000);
    assert.equal(outcome?.upTo, 't1');
    assert.ok(outcome && !('aside' in outcome));
    const left = { ...part, upTo: 't1', leftAside: ['t0'] };
    assert.deepEqual(outcomeOf(understood, left, { ...session, ...goesOn }, 1_000)?.aside, ['t0']);
  });

  it('is nothing where it is trivial and says nothing of the user', () => {
    const trivial = { ...understood, trivial: true };
    assert.equal(outcomeOf(trivial, part, { ...session, ...over }, 0)?.skipped, 'trivial');
    assert.equal(outcomeOf(trivial, part, { ...session, ...goesOn }, 0), undefined);
  });
});

describe('a deferral', () => {
  const deferred = (attempt: number, conversationId = 'c'): NewEvent => {
    return { type: 'memory.consolidation.deferred', data: { conversationId, attempt, reason: 'load' } };
  };
  const settled = (upTo?: string): NewEvent => ({
    type: 'memory.conversation.consolidated',
    data: {
      conversationId: 'c',
      sessionId: 's',
      episodeId: null,
      skipped: 'trivial',
      ...(upTo ? { upTo } : {}),
    },
  });
  const input = { conversationId: 'c', reason: 'load' };

  it('is counted for its conversation', () => {
    given(deferConsolidation).when(input).gives(deferred(1));
    given(deferConsolidation, deferred(1), deferred(2)).when(input).gives(deferred(3));
    given(deferConsolidation, deferred(4, 'another')).when(input).gives(deferred(1));
  });

  it('is counted anew once a part was settled, and none follows the end', () => {
    given(deferConsolidation, deferred(4), settled('t1')).when(input).gives(deferred(1));
    given(deferConsolidation, settled()).when(input).givesNothing();
  });

  it('keeps nobody from settling it', () => {
    const nothing = {
      sessionId: 's',
      after: null,
      erasures: 0,
      erasesWords: false,
      episode: null,
      findings: [],
    };
    given(consolidate, deferred(1))
      .when({ ...nothing, conversationId: 'c', skipped: 'trivial' })
      .gives(settled());
  });
});
