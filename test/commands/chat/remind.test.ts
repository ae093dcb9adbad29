import { describe, test } from 'vitest';
import { remind } from '../../../src/commands/chat/remind.ts';
import { receiveMessage } from '../../../src/commands/chat/turns.ts';
import type { ChatEvent } from '../../../src/events/chat.ts';
import { nothingDone } from '../../../src/events/turnEndings.ts';
import { given } from '../../support/given.ts';

const from = { platform: 'schedule', origin: 'schedule', source: 'tea', instanceId: 'i' } as const;
const asked = { turnId: 'r', sessionId: 'evening', text: 'Call mum', ...from };

function told(conversationId: string): readonly ChatEvent[] {
  const place = { turnId: 'r', sessionId: 'evening', conversationId };
  const { usage } = nothingDone;
  const said = {
    step: 1,
    provider: null,
    model: null,
    parts: [{ type: 'content' as const, text: 'Call mum' }],
  };
  return [
    { type: 'chat.message.received', data: { ...from, ...place, text: '', images: [] } },
    { type: 'chat.reply.sent', data: { ...place, ...said, reasoning: null, usage, metadata: nothingDone } },
  ];
}

describe('a reminder', () => {
  const received: ChatEvent = {
    type: 'chat.message.received',
    data: {
      turnId: 't',
      sessionId: 'evening',
      conversationId: 't',
      platform: 'web',
      origin: 'user',
      text: 'Hello',
      images: [],
      instanceId: 'i',
    },
  };

  test('begins a conversation where none goes on', () =>
    given(remind)
      .when(asked)
      .gives(...told('r')));
  test('is said in one that goes on, whatever runs in it', () =>
    given(remind, received)
      .when(asked)
      .gives(...told('t')));
  test('lets what comes after it be said in the same conversation', () => {
    const next = { ...from, turnId: 'u', sessionId: 'evening', text: 'Done', images: [] };
    given(receiveMessage, ...told('r'))
      .when(next)
      .gives({ type: 'chat.message.received', data: { ...next, conversationId: 'r' } });
  });
});
