import { place, ROW } from './place.ts';

/** Where one talks. */
export const talk = {
  chat: [
    place('say something and hear the answer', 'pages/chat/thread.ts', ['Send'], 'POST /api/chat/stream'),
    place('go on with an answer after a reload', 'pages/chat/thread.ts', [], 'GET /api/chat/stream/:turnId'),
    place('stop an answer', 'pages/chat/thread.ts', ['Stop'], 'DELETE /api/chat/stream/:turnId'),
    place(
      'go back to another version of a question',
      'pages/chat/thread.ts',
      ['Previous version'],
      'PUT /api/chat/sessions/:sessionId/branch',
    ),
    place('find a conversation', 'pages/chat/sessions.tsx', [], 'GET /api/chat/sessions'),
    place('read it', 'pages/chat/thread.ts', [ROW], 'GET /api/chat/sessions/:sessionId/turns'),
    place(
      'see its pictures',
      'pages/chat/turn.ts',
      [ROW, 'Show the image'],
      'GET /api/chat/turns/:turnId/images',
    ),
    place(
      'end it',
      'pages/chat/sessions.tsx',
      ['Actions of this conversation', 'End it'],
      'DELETE /api/chat/sessions/:sessionId',
    ),
    place('see what was recalled for a reply', 'pages/chat/recalled.tsx', [], 'GET /api/memory/items'),
    place('say what is wrong with it', 'pages/chat/recalled.tsx', ['Receipt of this reply', 'This is wrong']),
  ],
};
