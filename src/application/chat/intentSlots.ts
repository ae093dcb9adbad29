import type { Intent, SlotName } from '../../vocabulary.ts';

/** Which slot answers what a user wants. */
export const slotOfIntent: Readonly<Record<Intent, SlotName>> = {
  general_knowledge: 'chat',
  smart_home: 'tool_calling',
  scheduling: 'tool_calling',
  code: 'coding',
  reasoning: 'reasoning',
  creative: 'creative',
  conversation: 'chat',
  memory: 'chat',
  actions: 'tool_calling',
  language: 'chat',
  system: 'tool_calling',
  none: 'chat',
};

/** What each intent means, as a model is told. */
export const meaningOfIntent: Readonly<Record<Intent, string>> = {
  general_knowledge: 'asks for facts or an explanation of the world',
  smart_home: 'controls or asks about devices of the home: lights, heating, locks, media',
  scheduling: 'reminders, alarms, timers, calendar, recurring tasks',
  code: 'writes, explains or mends programs and what belongs to them',
  reasoning: 'mathematics, logic, puzzles, weighing of options, analysis',
  creative: 'wants something invented: stories, poems, names, jokes',
  conversation: 'greetings, thanks, feelings, small talk',
  memory: 'what is known of the user, or is to be remembered or forgotten',
  actions: 'something to be looked up live or done: weather, mail, search, files, shopping',
  language: 'translates, summarises or corrects a text, or asks about words',
  system: 'the state or settings of the assistant itself',
  none: 'none of these, or not to be understood',
};
