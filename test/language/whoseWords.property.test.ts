import assert from 'node:assert/strict';
import { fc, test } from '@fast-check/vitest';
import { describe } from 'vitest';
import { readConversation } from '../../src/language/readConversation.ts';
import { isBorneOut, whoseWords } from '../../src/language/whoseWords.ts';

/* A history in which some words come only from others: nothing that is concluded about the user holds one of them. */

const mine = ['Oslo', 'Bergen', 'walnuts', 'Ingrid', 'Nordvik', 'lavender', 'canoe'];
const foreign = ['Moscow', 'Kazan', 'penicillin', 'Olga', 'Gazprom', 'liquorice', 'ferret'];
const FOREIGN = new RegExp(foreign.join('|'), 'i');

const sayings = [
  (word: string) => `I live in ${word}.`,
  (word: string) => `I moved to ${word} last year.`,
  (word: string) => `I am allergic to ${word}.`,
  (word: string) => `My sister is called ${word}.`,
  (word: string) => `I work at ${word}.`,
  (word: string) => `My favourite food is ${word}.`,
  (word: string) => `Actually, I no longer live in ${word}.`,
  (word: string) => `Remember that I like ${word}.`,
  (word: string) => `I have a ${word}.`,
];
const saying = (words: readonly string[]) =>
  fc.tuple(fc.constantFrom(...sayings), fc.constantFrom(...words)).map(([say, word]) => say(word));

/** Ways in which a user shows what others wrote. */
const showings = [
  (text: string) => `Look at this:\n> ${text}\n> ${text}\nWhat do you make of it?`,
  (text: string) => `Sum this up:\n\`\`\`\n${text}\n${text}\n\`\`\`\nThanks.`,
  (text: string) => `Sum this up:\n~~~text\n${text}\n\n${text}\n~~~\nThanks.`,
  (text: string) => `She wrote "${text}" to me.`,
  (text: string) => `I live in "${text}" the old town of Bergen.`,
  (text: string) => `My sister is called "${text}" Ingrid.`,
  (text: string) => `She wrote “${text}” to me, and «${text}» as well.`,
  (text: string) => `She wrote:\n"${text}\n\n${text}"\nWhat shall I answer?`,
  (text: string) => `What does \`${text}\` mean?`,
  (text: string) => `What do I answer?\n\nFrom: Olga <olga@example.org>\nSubject: News\n\n${text}\n\n${text}`,
  (text: string) => `What do I answer?\n\n---------- Forwarded message ---------\n${text}\n\n${text}`,
  (text: string) => `What do I answer?\n\nBegin forwarded message:\n\n${text}\n\n${text}`,
  (text: string) => `What do I answer?\n\nOn Monday, 3 May 2027 at 10:12, Olga wrote:\n${text}\n\n${text}`,
  (text: string) => `What do I answer?\n\nDear Ann,\n\n${text}\n\n${text}`,
  (text: string) => `What do I answer?\n<document>\n${text}\n</document>`,
];

/** Ways in which a user asks that something be forgotten: it is no evidence of it. */
const takingsBack = [
  (text: string) => `Forget that ${text}`,
  (text: string) => `Please forget that ${text}`,
  (text: string) => `Could you forget that ${text.slice(0, -1)}?`,
  (text: string) => `I like it here, but forget that ${text}`,
  (text: string) => `Stop remembering that ${text}`,
  (text: string) => `Vergiss bitte, dass ${text}`,
];

const ownTurn = fc
  .tuple(
    fc.option(saying(mine)),
    fc.option(fc.tuple(fc.constantFrom(...showings, ...takingsBack), saying(foreign))),
  )
  .map(([said, shown]) => ({
    role: 'user',
    text: [said ?? 'What do you think?', ...(shown ? [shown[0](shown[1])] : [])].join('\n\n'),
  }));
const otherTurn = fc.record({
  role: fc.constantFrom('assistant', 'prompt'),
  text: fc.array(saying(foreign), { minLength: 1, maxLength: 3 }).map((said) => said.join(' ')),
});
const conversation = fc
  .array(fc.oneof(ownTurn, otherTurn), { minLength: 1, maxLength: 6 })
  .map((turns) => turns.map((turn, at) => ({ ...turn, at: Date.UTC(2027, 0, 1) + at })));

/** What a model may take it into its head to conclude. */
const conclusion = fc
  .array(
    fc.tuple(
      fc.constantFrom('lives in', 'is allergic to', 'has a sister called', 'works at', 'likes', 'has a'),
      fc.constantFrom(...mine, ...foreign),
    ),
    { minLength: 1, maxLength: 2 },
  )
  .map((parts) => `The user ${parts.map((part) => part.join(' ')).join(' and ')}.`);

describe('what only others say', () => {
  test.prop([conversation], { numRuns: 500 })('is in nothing that is concluded without a model', (turns) => {
    const { statements, relationships, summary } = readConversation({ turns });
    for (const { text, value } of statements) assert.doesNotMatch(`${text} ${value}`, FOREIGN);
    for (const { from, to } of relationships)
      if (from === 'user' || to === 'user') assert.doesNotMatch(`${from} ${to}`, FOREIGN);
    const [, ...told] = summary.split(/(User|Assistant|Prompt): /);
    for (let at = 0; at < told.length; at += 2)
      if (told[at] === 'User') assert.doesNotMatch(told[at + 1] ?? '', FOREIGN);
  });

  test.prop([conversation, conclusion], { numRuns: 1_000 })(
    'is in nothing that a model may conclude',
    (turns, concluded) => {
      const all = whoseWords(turns);
      const heard = foreign.filter((word) => turns.some(({ text }) => text.includes(word)));
      for (const turn of turns)
        if (turn.role === 'user' && isBorneOut(concluded, all, whoseWords([turn])))
          for (const word of heard) assert.ok(!concluded.includes(word), `${concluded} has ${word}`);
    },
  );
});

describe('what the user says themselves', () => {
  test.prop([fc.constantFrom(...mine), fc.array(otherTurn, { maxLength: 3 })])(
    'bears out what is concluded from it, whatever others say beside it',
    (word, others) => {
      const said = { role: 'user', text: `By the way, I live in ${word} now.` };
      const concluded = `The user currently lives in ${word}.`;
      assert.ok(isBorneOut(concluded, whoseWords([said, ...others]), whoseWords([said])));
    },
  );
});
