/** What is said in a conversation, here and elsewhere. */
export const ofTurns: readonly string[] = [
  ...['chat.message.received', 'chat.reply.heard', 'chat.turn.cancelled'],
];

/** What changes which turns are to be seen, and what may be done with them. */
export const ofThePath: readonly string[] = ['chat.branch.chosen', 'sessionEnded'];

/** After these, words of some conversation cannot be read any more. */
export const erasures: readonly string[] = [
  ...['memory.erased', 'memory.transcript.erased', 'memory.conversations.expired'],
  ...['memory.episodes.erased', 'memory.episodes.expired'],
];
