/** What is replied where no model answers, in one language. What is remembered stands in it as it was said. */
export interface RuleReplies {
  remembered(texts: readonly string[]): string;
  corrected(texts: readonly string[]): string;
  forgotten(texts: readonly string[]): string;
  readonly off: string;
  readonly wrong: string;
  /** A device may not forget. */
  readonly elsewhere: string;
  readonly everything: string;
  readonly whatToForget: string;
  readonly failed: string;
  readonly nothingOfThat: string;
  nothingKnown(isAboutUser: boolean): string;
  known(lines: string): string;
  gone(lines: string): string;
  wouldForget(lines: string): string;
}

const conversationsStay =
  'The conversations in which you said it are kept. `hark memory forget --session ID` erases one.';
const conversationsStayInGerman =
  'Die Gespräche, in denen du es gesagt hast, bleiben. `hark memory forget --session ID` löscht eines.';

const english: RuleReplies = {
  remembered: (texts) => `I will remember that: ${texts.join(' ')}`,
  corrected: (texts) => `I have put that right: ${texts.join(' ')}`,
  forgotten: (texts) => `I have forgotten: ${texts.join(' ')}\n${conversationsStay}`,
  off: 'I remember nothing: you have memory turned off (preference persistMemory).',
  wrong: 'What is right, then? Say it in a sentence, as in "That is wrong, I live in Bergen."',
  elsewhere: 'I have erased nothing: a device may not. Ask me elsewhere, or run `hark memory forget`.',
  everything:
    'I have erased nothing: a word in a chat is not enough for that. To erase everything that I know about you, ' +
    'run `hark memory forget --all`, or send DELETE /api/memory.',
  whatToForget: 'What shall I forget? Say it in its words, as in "Forget that I love coffee."',
  failed: 'That did not work.',
  nothingOfThat: 'I remember nothing of that.',
  nothingKnown: (isAboutUser) => `I know nothing about ${isAboutUser ? 'you' : 'that'}.`,
  known: (lines) => `I know this:\n${lines}`,
  gone: (lines) => `I have forgotten:\n${lines}\n${conversationsStay}`,
  wouldForget: (lines) => `I would forget this for good:\n${lines}\nShall I? Say yes.`,
};

const german: RuleReplies = {
  remembered: (texts) => `Das merke ich mir: ${texts.join(' ')}`,
  corrected: (texts) => `Das habe ich berichtigt: ${texts.join(' ')}`,
  forgotten: (texts) => `Das habe ich vergessen: ${texts.join(' ')}\n${conversationsStayInGerman}`,
  off: 'Ich merke mir nichts: Du hast das Gedächtnis abgeschaltet (Einstellung persistMemory).',
  wrong: 'Was ist richtig? Sag es in einem Satz, zum Beispiel: „Das stimmt nicht, ich wohne in Bergen.“',
  elsewhere:
    'Ich habe nichts gelöscht: Ein Gerät darf das nicht. Frag mich anderswo oder rufe `hark memory forget` auf.',
  everything:
    'Ich habe nichts gelöscht: Ein Satz im Chat genügt dafür nicht. Um alles zu löschen, was ich über dich weiß, ' +
    'rufe `hark memory forget --all` auf oder sende DELETE /api/memory.',
  whatToForget:
    'Was soll ich vergessen? Sag es mit seinen Worten, zum Beispiel: „Vergiss, dass ich Kaffee mag.“',
  failed: 'Das hat nicht geklappt.',
  nothingOfThat: 'Davon weiß ich nichts.',
  nothingKnown: (isAboutUser) => `${isAboutUser ? 'Über dich' : 'Darüber'} weiß ich nichts.`,
  known: (lines) => `Das weiß ich:\n${lines}`,
  gone: (lines) => `Das habe ich vergessen:\n${lines}\n${conversationsStayInGerman}`,
  wouldForget: (lines) => `Das würde ich für immer vergessen:\n${lines}\nSoll ich? Sag ja.`,
};

export const ruleReplies = { en: english, de: german };
