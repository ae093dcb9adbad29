import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { messagesOf } from '../../../src/application/chat/messages.ts';
import type { ChatEvent } from '../../../src/events/chat.ts';
import { conversation, historyOf, replyIn } from '../../../src/projections/chat/conversation.ts';
import { openSessions } from '../../../src/projections/chat/openSessions.ts';
import {
  branchedTo,
  CONVERSATION,
  cancelled,
  ended,
  exchangeOf,
  failed,
  interrupted,
  received,
  replied,
  stepTaken,
  summarized,
  toolCalled,
  toolReturned,
} from '../../support/chatFacts.ts';
import { NOW } from '../../support/given.ts';
import { viewAfter } from '../../support/viewAfter.ts';

function after(...facts: readonly ChatEvent[]) {
  return facts.reduce(
    (state, fact, index) => conversation.evolve(state, { ...fact, at: NOW + index }),
    conversation.initial,
  );
}
const history = (...facts: readonly ChatEvent[]) =>
  historyOf(after(...facts)).map(({ role, content }) => [role, content]);

const answered = (turnId: string, replaces?: string) => [
  received(turnId, replaces === undefined ? {} : { replaces }),
  replied(turnId),
];

describe('a conversation', () => {
  it('is what was said on both sides, and when', () => {
    assert.deepEqual(historyOf(after(received('t1'), replied('t1'))), [
      { role: 'user', content: 'Text of t1', timestamp: NOW, origin: 'user' },
      { role: 'assistant', content: 'Reply to t1', timestamp: NOW + 1 },
    ]);
  });

  it('tells of a reply the last words, and not what was said before calls', () => {
    assert.deepEqual(
      history(
        received('t1'),
        stepTaken('t1'),
        toolCalled('t1', 'a'),
        toolReturned('t1', 'a'),
        replied('t1', 'Noon', 2),
      ),
      [
        ['user', 'Text of t1'],
        ['assistant', 'Noon'],
      ],
    );
  });

  it('tells of a turn without a reply what became of it, after what it said', () => {
    assert.match(
      replyIn(exchangeOf(received('t1'), interrupted('t1', 'So far'))),
      /^So far\n\n\[.*interrupted/,
    );
    assert.match(replyIn(exchangeOf(received('t1'), cancelled('t1'))), /^\[.*cancelled/);
    assert.match(replyIn(exchangeOf(received('t1'), failed('t1'))), /^\[.*failed/);
  });

  it('tells of a turn that waits when it is its turn', () => {
    const waiting = [received('t1'), received('t2'), cancelled('t2'), received('t3')];
    assert.deepEqual(history(...waiting), [['user', 'Text of t1']]);
    assert.deepEqual(
      history(...waiting, replied('t1')).map(([role]) => role),
      ['user', 'assistant', 'user', 'assistant', 'user'],
    );
  });

  it('is told without what is set aside, until that is taken up again', () => {
    const said = [...answered('t1'), ...answered('t2'), ...answered('t3'), ...answered('t2b', 't2')];
    const texts = (...facts: readonly ChatEvent[]) =>
      history(...said, ...facts).flatMap(([role, text]) => (role === 'user' ? [text] : []));
    assert.deepEqual(texts(), ['Text of t1', 'Text of t2b']);
    assert.deepEqual(texts(branchedTo('t2')), ['Text of t1', 'Text of t2', 'Text of t3']);
    assert.deepEqual(texts(branchedTo('t2'), branchedTo('t2b'), ...answered('t4')), [
      'Text of t1',
      'Text of t2b',
      'Text of t4',
    ]);
  });

  it('learns also of a turn that is set aside what comes late', () => {
    const spoken = received('t1', { spoken: true });
    const { type, data } = { type: 'chat.reply.heard' as const, data: { ...spoken.data, characters: 5 } };
    const late: ChatEvent = { type, data: { ...data, isLast: true } };
    assert.deepEqual(
      history(spoken, replied('t1'), ...answered('t1b', 't1'), late, branchedTo('t1')).at(-1),
      ['assistant', 'Reply'],
    );
  });

  it('is summed up for each path by what was said on it', () => {
    const said = [
      ...answered('t1'),
      ...answered('t2'),
      received('t3'),
      summarized('t3', 't2'),
      replied('t3'),
    ];
    assert.equal(after(...said).summary?.uptoTurnId, 't2');
    const edited = [...said, ...answered('t2b', 't2')];
    assert.equal(after(...edited).summary, null);
    assert.equal(after(...edited, branchedTo('t2')).summary?.text, 'Up to t2');
    const again = [...edited, received('t4'), summarized('t4', 't1'), replied('t4')];
    assert.equal(after(...again).summary?.uptoTurnId, 't1');
    assert.equal(after(...again, branchedTo('t2')).summary?.uptoTurnId, 't1');
    assert.equal(after(...said, summarized('t3', 't3')).summaries.length, 1);
  });

  it('begins anew after its end', () => {
    assert.deepEqual(history(received('t1'), replied('t1'), ended('asked', 1)), []);
    const next = after(
      received('t1'),
      replied('t1'),
      ended('asked', 1),
      received('t2', { conversationId: 't2' }),
    );
    assert.equal(next.conversationId, 't2');
  });

  it('has what the model is told in place of what was said first, as long as that is not forgotten', () => {
    const summarized = (summary: string | null): ChatEvent => ({
      type: 'chat.history.summarized',
      data: {
        turnId: 't2',
        sessionId: 's',
        conversationId: CONVERSATION,
        uptoTurnId: 't1',
        summary,
        tokens: 9,
      },
    });
    const summary = { uptoTurnId: 't1', text: 'They met' };
    assert.deepEqual(after(received('t1'), summarized('They met')).summary, summary);
    assert.deepEqual(after(received('t1'), summarized('They met'), summarized(null)).summary, summary);
  });

  it('tells what is said although nobody asked as words of the assistant, with what had it say them', () => {
    const reminded = received('t1', { origin: 'schedule', source: 'task-1', text: '' });
    const from = { origin: 'schedule', source: 'task-1' };
    assert.deepEqual(historyOf(after(reminded, replied('t1', 'Tea'))), [
      { role: 'assistant', content: 'Tea', timestamp: NOW + 1, ...from },
    ]);
    const asked = received('t1', { origin: 'schedule', source: 'task-1' });
    assert.deepEqual(historyOf(after(asked)), [
      { role: 'user', content: 'Text of t1', timestamp: NOW, ...from },
    ]);
  });

  it('passes by what other areas say in its stream, and leaves out what was forgotten', () => {
    const other = { type: 'config:changed', data: { changes: {} }, at: NOW };
    assert.deepEqual(conversation.evolve(after(received('t1')), other), after(received('t1')));
    assert.deepEqual(history(received('t1', { text: null }), replied('t1')), []);
  });
});

describe('what a model is told of an earlier turn', () => {
  const roles = (...facts: Parameters<typeof exchangeOf>) =>
    messagesOf(exchangeOf(...facts)).map(({ role }) => role);

  it('is the message, each step with its calls and their results in the order of the calls, and the reply', () => {
    const messages = messagesOf(
      exchangeOf(
        received('t1'),
        stepTaken('t1'),
        toolCalled('t1', 'a'),
        toolCalled('t1', 'b'),
        toolReturned('t1', 'b', 'second'),
        toolReturned('t1', 'a', 'first'),
        replied('t1', 'Done', 2),
      ),
    );
    assert.deepEqual(
      messages.map((message) => (message.role === 'tool' ? message.result : message.role)),
      ['user', 'assistant', 'first', 'second', 'assistant'],
    );
  });

  it('has an answer to every call, also to one that never came back', () => {
    const messages = messagesOf(
      exchangeOf(received('t1'), stepTaken('t1'), toolCalled('t1', 'a'), interrupted('t1')),
    );
    assert.deepEqual(
      messages.map(({ role }) => role),
      ['user', 'assistant', 'tool', 'assistant'],
    );
    const [, step, result, end] = messages;
    assert.ok(result?.role === 'tool' && result.failed);
    assert.ok(step?.role === 'assistant' && step.text === 'Let me look');
    // What was said before the call is not said again.
    assert.ok(end?.role === 'assistant' && end.text.startsWith('[The turn was interrupted'));
  });

  it('ends with the assistant whatever became of it, and with nothing where it still runs', () => {
    for (const end of [replied('t1', ''), failed('t1'), cancelled('t1', 'So far'), interrupted('t1')])
      assert.deepEqual(roles(received('t1'), end), ['user', 'assistant'], end.type);
    assert.deepEqual(roles(received('t1')), ['user']);
    assert.deepEqual(roles(received('t1', { text: null }), replied('t1')), []);
  });
});

describe('the open sessions', () => {
  const view = async (...facts: readonly ChatEvent[]) =>
    Object.values((await viewAfter(openSessions, ...facts)).byStream);

  it('are those that have not ended, with what runs in them in order', async () => {
    const [session, ...others] = await view(received('t1'), replied('t1'), received('t2'), received('t3'));
    assert.equal(others.length, 0);
    assert.deepEqual(
      [session?.conversationId, session?.turns, session?.lastActivityAt, session?.open],
      [
        CONVERSATION,
        1,
        NOW + 3_000,
        [
          { turnId: 't2', instanceId: 'one' },
          { turnId: 't3', instanceId: 'one' },
        ],
      ],
    );
  });

  it('forget a session that ended, and a turn by itself that is over', async () => {
    assert.deepEqual(await view(received('t1'), replied('t1'), ended('idle', 1)), []);
    const alone = { sessionId: null };
    assert.equal((await view(received('t1', alone))).length, 1);
    const done = replied('t1');
    assert.deepEqual(await view(received('t1', alone), { ...done, data: { ...done.data, ...alone } }), []);
  });
});
