import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import {
  advanceTurn,
  breakOffTurn,
  chooseBranch,
  endSession,
  receiveMessage,
} from '../../../src/commands/chat/turns.ts';
import { chatStream } from '../../../src/events/chat.ts';
import {
  nothingDone,
  turnCancelled,
  turnForgotten,
  turnInterrupted,
} from '../../../src/events/turnEndings.ts';
import { messageReceived } from '../../../src/events/turns.ts';
import {
  branchedTo,
  CONVERSATION,
  cancelled,
  delegated,
  ended,
  failed,
  interrupted,
  received,
  replied,
  stepTaken,
  toolCalled,
} from '../../support/chatFacts.ts';
import { given } from '../../support/given.ts';

const unknown = (turnId: string, conversationId = CONVERSATION) => ({
  turnId,
  sessionId: 's',
  conversationId,
  step: 0,
  parts: [],
  metadata: nothingDone,
});

function message(turnId: string) {
  const { conversationId: _given, replaces: _none, ...said } = received(turnId).data;
  return said;
}

describe('receiving a message', () => {
  it('begins a conversation that is named after its first turn', () => {
    given(receiveMessage)
      .when(message('t1'))
      .gives(received('t1', { conversationId: 't1' }));
  });

  it('goes on with the conversation that there is, also while a turn runs', () => {
    given(receiveMessage, received('t1'), replied('t1')).when(message('t2')).gives(received('t2'));
    given(receiveMessage, received('t1')).when(message('t2')).gives(received('t2'));
  });

  it('begins another one when that has ended', () => {
    given(receiveMessage, received('t1'), replied('t1'), ended('idle', 1))
      .when(message('t2'))
      .gives(received('t2', { conversationId: 't2' }));
  });

  it('adds nothing when the same turn runs already', () => {
    given(receiveMessage, received('t1')).when(message('t1')).givesNothing();
  });
});

describe('replacing a turn', () => {
  const replaces = { turnId: 't1', conversationId: CONVERSATION };
  const edited = { ...message('t2'), replaces };

  it('begins one that stands in its place', () => {
    given(receiveMessage, received('t1'), replied('t1'))
      .when(edited)
      .gives(received('t2', { replaces: 't1' }));
  });

  it('waits until nothing runs in the session', () => {
    given(receiveMessage, received('t1')).when(edited).isRefused('TURN_RUNNING', { turnId: 't1' });
    given(receiveMessage, received('t1'), replied('t1'), received('t3'))
      .when(edited)
      .isRefused('TURN_RUNNING', { turnId: 't3' });
  });

  it('is refused where the conversation has ended, whatever began since', () => {
    const over = [received('t1'), replied('t1'), ended('asked', 1)];
    given(receiveMessage, ...over)
      .when(edited)
      .isRefused('CONVERSATION_OVER', { turnId: 't1' });
    given(receiveMessage, ...over, received('t3', { conversationId: 't3' }), replied('t3'))
      .when(edited)
      .isRefused('CONVERSATION_OVER');
  });

  it('adds nothing when the same turn runs already', () => {
    given(receiveMessage, received('t1'), replied('t1'), received('t2', { replaces: 't1' }))
      .when(edited)
      .givesNothing();
  });
});

describe('taking up what was set aside', () => {
  const chosen = { turnId: 't1', conversationId: CONVERSATION, sessionId: 's' };
  const replaced = [received('t1'), replied('t1'), received('t2', { replaces: 't1' })];

  it('is told of, so that it can be taken back', () => {
    given(chooseBranch, ...replaced, replied('t2'))
      .when(chosen)
      .gives(branchedTo('t1'));
  });

  it('waits until nothing runs, and is refused where the conversation has ended', () => {
    given(chooseBranch, ...replaced)
      .when(chosen)
      .isRefused('TURN_RUNNING', { turnId: 't2' });
    given(chooseBranch, ...replaced, replied('t2'), ended('idle', 2))
      .when(chosen)
      .isRefused('CONVERSATION_OVER');
  });
});

describe('advancing a turn', () => {
  it('takes down what happened, each thing under the key of the conversation', () => {
    const lone = { ...stepTaken('t2').data, conversationId: 't2' };
    given(advanceTurn, received('t1'), received('t2'))
      .when({
        turnId: 't2',
        sessionId: 's',
        events: [{ ...stepTaken('t2'), data: lone }, toolCalled('t2', 'a')],
      })
      .gives(stepTaken('t2'), toolCalled('t2', 'a'));
  });

  for (const end of [replied('t1'), delegated('t1'), failed('t1'), cancelled('t1'), interrupted('t1')]) {
    it(`is refused after ${end.type}`, () => {
      given(advanceTurn, received('t1'), end)
        .when({ turnId: 't1', sessionId: 's', events: [replied('t1', 'Too late')] })
        .isRefused('TURN_OVER');
    });
  }

  it('is refused where nothing is known of the turn', () => {
    const late = { turnId: 't1', sessionId: 's', events: [replied('t1')] };
    given(advanceTurn).when(late).isRefused('TURN_OVER');
    given(advanceTurn, received('t1'), cancelled('t1'), ended('asked', 1), received('t2'))
      .when(late)
      .isRefused('TURN_OVER');
  });
});

describe('a turn of which nothing is to be kept', () => {
  const transient = received('t1', { transient: true });
  const { turnId, sessionId, conversationId } = transient.data;
  const forgotten = { type: turnForgotten.type, data: { turnId, sessionId, conversationId } };

  it('is forgotten with its ending, and not before', () => {
    given(advanceTurn, transient)
      .when({ turnId, sessionId, events: [stepTaken('t1')] })
      .gives(stepTaken('t1'));
    for (const end of [replied('t1'), delegated('t1'), failed('t1'), cancelled('t1'), interrupted('t1')])
      given(advanceTurn, transient)
        .when({ turnId, sessionId, events: [end] })
        .gives(end, forgotten);
  });

  it('is forgotten when it is broken off, or its session ends', () => {
    const end = { type: turnCancelled.type, data: unknown('t1') };
    given(breakOffTurn, transient).when({ turnId, sessionId, as: 'cancelled' }).gives(end, forgotten);
    given(endSession, transient).when({ sessionId: 's' }).gives(end, forgotten, ended('asked', 1));
  });
});

describe('breaking off a turn', () => {
  it('ends one that runs, or waits, saying what is known of it', () => {
    given(breakOffTurn, received('t1'), received('t2'))
      .when({ turnId: 't2', sessionId: 's', as: 'cancelled' })
      .gives({ type: turnCancelled.type, data: unknown('t2') });
    given(breakOffTurn, received('t1'))
      .when({ turnId: 't1', sessionId: 's', as: 'interrupted' })
      .gives({ type: turnInterrupted.type, data: unknown('t1') });
  });

  it('leaves one alone that is over, or never was', () => {
    given(breakOffTurn, received('t1'), replied('t1'))
      .when({ turnId: 't1', sessionId: 's', as: 'cancelled' })
      .givesNothing();
    given(breakOffTurn).when({ turnId: 't1', sessionId: 's', as: 'interrupted' }).givesNothing();
  });
});

describe('ending a session', () => {
  const idle = { sessionId: 's', idle: { conversationId: CONVERSATION, turns: 1 } };

  it('ends the conversation, and what still runs in it', () => {
    given(endSession, received('t1'), replied('t1'), received('t2'), received('t3'))
      .when({ sessionId: 's' })
      .gives(
        { type: turnCancelled.type, data: unknown('t2') },
        { type: turnCancelled.type, data: unknown('t3') },
        ended('asked', 3),
      );
  });

  it('is refused where there is nothing to end', () => {
    given(endSession).when({ sessionId: 's' }).isRefused('SESSION_UNKNOWN', { sessionId: 's' });
    given(endSession, received('t1'), replied('t1'), ended('asked', 1))
      .when({ sessionId: 's' })
      .isRefused('SESSION_UNKNOWN');
  });

  it('for being idle happens once, however many notice', () => {
    given(endSession, received('t1'), replied('t1')).when(idle).gives(ended('idle', 1));
    given(endSession, received('t1'), replied('t1'), ended('idle', 1)).when(idle).givesNothing();
  });

  it('for being idle does not happen when something came of it since', () => {
    given(endSession, received('t1'), replied('t1'), received('t2')).when(idle).givesNothing();
    given(endSession, received('t1'), replied('t1'), received('t2'), replied('t2')).when(idle).givesNothing();
    given(
      endSession,
      received('t1'),
      replied('t1'),
      ended('asked', 1),
      received('t2', { conversationId: 't2' }),
      replied('t2'),
    )
      .when(idle)
      .givesNothing();
  });
});

describe('the stream of a turn', () => {
  it('is that of its session, which is one for each user, or its own', () => {
    const streams = [
      chatStream('ann', { sessionId: 's', turnId: 't1' }),
      chatStream('bob', { sessionId: 's', turnId: 't1' }),
      chatStream('ann', { sessionId: null, turnId: 't1' }),
      chatStream('ann-b', { sessionId: 'x', turnId: 't1' }),
      chatStream('ann', { sessionId: 'b-x', turnId: 't1' }),
    ];
    assert.equal(new Set(streams).size, streams.length);
    assert.equal(chatStream('ann', { sessionId: 's', turnId: 't2' }), streams[0]);
  });

  it('belongs to messages of both kinds', () => {
    given(receiveMessage)
      .when({ ...message('t1'), sessionId: null })
      .gives({
        type: messageReceived.type,
        data: { ...received('t1').data, sessionId: null, conversationId: 't1' },
      });
  });
});
