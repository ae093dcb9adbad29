import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { eventCatalog } from '../../../src/events/catalog.ts';
import { chatStream } from '../../../src/events/chat.ts';
import type { NewEvent } from '../../../src/events/definition.ts';
import { memoryStream } from '../../../src/events/memory.ts';
import { receivedAs } from '../../../src/events/turns.ts';
import { reasonsFor } from '../../../src/projections/memory/reasons.ts';
import { Log } from '../../../src/store/log.ts';
import { MemoryAdapter } from '../../../src/store/memory/adapter.ts';
import { aConclusion, anEpisode } from '../../commands/memory/sample.ts';
import { NOW } from '../../support/given.ts';

type Past = readonly (readonly [stream: string, NewEvent])[];

async function chainOf(conclusionId: string, ...past: Past) {
  const log = await Log.open(new MemoryAdapter(), eventCatalog);
  const who = { userId: 'ann', correlationId: 'test', causationId: null, at: NOW };
  for (const [stream, event] of past) {
    const turnId = Object(event.data).turnId;
    const received = event.type === 'chat.message.received' ? { commandId: receivedAs('ann', turnId) } : {};
    await log.append({ ...who, ...received, stream, expected: 'any', events: [event] });
  }
  return reasonsFor(log, 'ann', conclusionId);
}

async function reasons(conclusionId: string, ...past: Past) {
  return (await chainOf(conclusionId, ...past)).map(({ summary }) => summary);
}

const memory = (event: NewEvent) => [memoryStream('ann'), event] as const;
const changed = (type: string, data: object) => memory({ type: `memory.conclusion.${type}`, data });

/** A message in the session of the episode. */
function message(turnId: string, given: object = {}) {
  const data = {
    ...{ turnId, sessionId: 's1', conversationId: 'c1', platform: 'web', instanceId: 'i' },
    ...{ origin: 'user', images: [], text: `Text of ${turnId}`, ...given },
  };
  return [chatStream('ann', { sessionId: 's1', turnId }), { type: 'chat.message.received', data }] as const;
}

describe('why something is believed', () => {
  const drawn = memory(
    aConclusion('c1', { sources: ['e1'], turnIds: ['t1'], text: 'The user lives in Oslo' }),
  );
  const concluded = 'Concluded (offline, confidence 0.9): The user lives in Oslo';
  const kept = 'Kept as an episode: The user moved to Oslo.';

  it('is told from the words on that it rests on, and of no others', async () => {
    const others = [memory(anEpisode('e2')), memory(aConclusion('c2', { sources: ['e2'], turnIds: ['t2'] }))];
    const told = await reasons('c1', message('t1'), message('t2'), memory(anEpisode('e1')), drawn, ...others);
    assert.deepEqual(told, ['The user said: Text of t1', kept, concluded]);
  });

  it('is told with that the words were set aside, as long as they are', async () => {
    const replaced = [message('t1'), message('t2', { replaces: 't1' })];
    const choose = (turnId: string) =>
      [
        chatStream('ann', { sessionId: 's1', turnId }),
        { type: 'chat.branch.chosen', data: { sessionId: 's1', conversationId: 'c1', turnId } },
      ] as const;
    const atOnce = memory(
      aConclusion('c1', { sources: [], turnIds: ['t1'], text: 'The user lives in Oslo' }),
    );
    for (const rest of [[atOnce], [memory(anEpisode('e1')), drawn]]) {
      const [first] = await chainOf('c1', ...replaced, ...rest);
      assert.deepEqual(
        [first?.setAside, first?.summary],
        [true, 'The user said (set aside since): Text of t1'],
      );
      const [again] = await chainOf('c1', ...replaced, ...rest, choose('t1'));
      assert.deepEqual([again?.setAside, again?.summary], [undefined, 'The user said: Text of t1']);
    }
  });

  it('is told with who said it', async () => {
    for (const [given, who] of [
      [{ origin: 'schedule', source: 'task-1' }, 'A schedule asked (task-1)'],
      [{ origin: 'workflow', source: 'w' }, 'A workflow asked (w)'],
      [{ origin: 'model', source: 'task-2' }, 'A task that a model made asked (task-2)'],
      [{ origin: 'client' }, 'A client asked'],
      [{ origin: 'import' }, 'It was said elsewhere'],
    ] as const) {
      const [first] = await reasons('c1', message('t1', given), memory(anEpisode('e1')), drawn);
      assert.equal(first, `${who}: Text of t1`);
    }
  });

  it('is told with all that happened to it since, also together with others', async () => {
    const told = await reasons(
      'c1',
      drawn,
      changed('strengthened', { conclusionId: 'c1', confidence: 0.95, sources: [], turnIds: [] }),
      changed('superseded', { conclusionId: 'c1', supersededBy: 'c2', because: 'replaced' }),
      changed('superseded', { conclusionId: 'c0', supersededBy: 'c1', because: 'ended' }),
      changed('restored', { conclusionId: 'c1' }),
      memory({ type: 'memory.conclusions.erased', data: { conclusionIds: ['c1'], because: 'asked' } }),
    );
    assert.deepEqual(told.slice(1), [
      'Found again; confidence 0.95',
      'c2 took the place of c1: a later word on the same',
      'c1 took the place of c0: it is over',
      'Restored',
      'Erased (asked)',
    ]);
  });

  it('is told with contradictions, and with what sweeps did', async () => {
    const evidence = { similarity: 0.5, signs: ['negation'] };
    const by = { nli: { model: 'nli', probability: 0.9 }, judge: { model: 'judge', confidence: 0.75 } };
    const sweep = { sweepId: 's', conclusionId: 'c1' };
    const detected = (data: object) => memory({ type: 'memory.contradiction.detected', data });
    const told = await reasons(
      'c1',
      drawn,
      changed('contradicted', { conclusionId: 'c2', contradicts: 'c1' }),
      detected({ ...sweep, contradicts: 'c2', evidence: { ...evidence, ...by } }),
      detected({ ...sweep, contradicts: 'c3', evidence: { ...evidence, nli: null, judge: null } }),
      changed('merged', {
        ...{ sweepId: 's', conclusionId: 'c0', mergedInto: 'c1', similarTo: 'c1' },
        ...{ similarity: 0.9, restorableUntil: NOW },
      }),
      changed('pruned', { ...sweep, confidence: 0.1, limit: 0.2, restorableUntil: NOW }),
    );
    assert.deepEqual(told.slice(1), [
      'c2 contradicts c1',
      'In a sweep: Cannot be so together with c2 (similarity 0.5, negation, nli 0.9, judge 0.75)',
      'In a sweep: Cannot be so together with c3 (similarity 0.5, negation)',
      'In a sweep: Says the same as c1, which is more certain or was there first (similarity 0.9)',
      'In a sweep: Confidence 0.1 is below 0.2',
    ]);
  });

  it('is told with the words themselves, before any episode tells of them', async () => {
    assert.deepEqual(await reasons('c1', message('t1'), drawn), ['The user said: Text of t1', concluded]);
    assert.deepEqual(await reasons('c1', drawn), [concluded]);
  });

  it('says where words were erased', async () => {
    const erased = [message('t1', { text: null }), memory(anEpisode('e1', { summary: null }))] as const;
    const textless = memory(aConclusion('c1', { sources: ['e1'], turnIds: ['t1'], text: null }));
    assert.deepEqual(await reasons('c1', ...erased, textless), [
      'The user said: (erased)',
      'Kept as an episode: (erased)',
      'Concluded (offline, confidence 0.9): (erased)',
    ]);
    assert.equal((await reasons('c1', message('t1', { text: null }), drawn))[0], 'The user said: (erased)');
  });

  it('is told with who said it in an import, of the part that the turn is in', async () => {
    const turns = [
      { role: 'user', name: null, text: 'I moved' },
      { role: 'user', name: 'Mia', text: 'To Oslo' },
      { role: 'assistant', name: null, text: 'Nice' },
    ].map((turn) => ({ ...turn, at: NOW }));
    const imported = (episodeId: string, given: object = {}) =>
      memory({
        type: 'memory.conversation.imported',
        data: { episodeId, sessionId: 's1', turns, ...given },
      });
    const believed = (...turnIds: readonly string[]) =>
      memory(aConclusion('c1', { sources: ['e1'], turnIds }));
    const episode = memory(anEpisode('e1', { conversationId: null }));
    const said = async (...past: Past) =>
      (await reasons('c1', ...past)).filter((one) => one.includes('in an import'));
    assert.deepEqual(await said(imported('e1'), episode, believed('0', '1', '2')), [
      'The user said, in an import: I moved',
      'Mia said, in an import: To Oslo',
      'Somebody else said, in an import: Nice',
    ]);
    const slice = { number: 2, of: 2, from: 10, happenedAt: NOW };
    assert.deepEqual(await said(imported('e1', { slice }), episode, believed('11')), [
      'Mia said, in an import: To Oslo',
    ]);
    // Under an id that was another one's before.
    const ofAnother = { ...slice, happenedAt: NOW - 1 };
    assert.deepEqual(await said(imported('e1', { slice: ofAnother }), episode, believed('11')), []);
    assert.deepEqual(await said(imported('e1', { turns: null }), episode, believed('0')), []);
  });

  it('says whose the words are that it rests on', async () => {
    const origins = async (...past: Past) => (await chainOf('c1', ...past)).map(({ origin }) => origin);
    const asked = message('t1', { origin: 'schedule', source: 'task-1' });
    assert.deepEqual(await origins(message('t1'), drawn), ['user', undefined]);
    assert.deepEqual(await origins(asked, drawn), ['schedule', undefined]);
    const data = {
      episodeId: 'e1',
      sessionId: 's1',
      turns: [{ role: 'user', name: null, text: 'Hi', at: NOW }],
    };
    const imported = memory({ type: 'memory.conversation.imported', data });
    const believed = memory(aConclusion('c1', { sources: ['e1'], turnIds: ['0'] }));
    const heard = (given: object) => memory(anEpisode('e1', { conversationId: null, ...given }));
    assert.deepEqual(await origins(imported, heard({}), believed), ['import', undefined, undefined]);
    const capture = { deviceId: 'd', streamId: 's', mode: 'ambient', segments: [], finalAt: NOW };
    assert.deepEqual(await origins(imported, heard({ capture }), believed), [
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('dates words from elsewhere by when they were said', async () => {
    const turns = [{ role: 'user', name: null, text: 'I moved', at: NOW - 5_000 }];
    const imported = memory({
      type: 'memory.conversation.imported',
      data: { episodeId: 'e1', sessionId: 's1', turns },
    });
    const believed = memory(aConclusion('c1', { sources: ['e1'], turnIds: ['0'] }));
    const chain = await chainOf('c1', imported, memory(anEpisode('e1', { conversationId: null })), believed);
    assert.deepEqual(
      chain.map(({ at, saidAt }) => [at, saidAt]),
      [
        [NOW, NOW - 5_000],
        [NOW, undefined],
        [NOW, undefined],
      ],
    );
  });

  it('is nothing where it is not known', async () => {
    assert.deepEqual(await reasons('unknown', drawn), []);
  });
});
