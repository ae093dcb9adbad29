/** What is replied to a wish to be reminded where no model answers, in one language. */
interface ReminderReplies {
  /** `when` in words: what comes again with its next time. */
  set(text: string, when: string): string;
  /** No time was named. */
  when(text: string): string;
  readonly failed: string;
}

const english: ReminderReplies = {
  set: (text, when) => `I will say this: ${text}\n${when}`,
  when: (text) => `When? Say it with a time, as in "Remind me tomorrow at 9: ${text}"`,
  failed: 'That did not work.',
};

const german: ReminderReplies = {
  set: (text, when) => `Ich sage dir dann: ${text}\n${when}`,
  when: (text) => `Wann? Sag es mit einer Zeit, zum Beispiel: „Erinnere mich morgen um 9: ${text}“`,
  failed: 'Das hat nicht geklappt.',
};

const french: ReminderReplies = {
  set: (text, when) => `Je te dirai ceci : ${text}\n${when}`,
  when: (text) => `Quand ? Dis-le avec une heure, par exemple : « Rappelle-moi demain à 9 h : ${text} »`,
  failed: 'Cela n’a pas marché.',
};

const spanish: ReminderReplies = {
  set: (text, when) => `Te diré esto: ${text}\n${when}`,
  when: (text) => `¿Cuándo? Dilo con una hora, por ejemplo: «Recuérdame mañana a las 9: ${text}»`,
  failed: 'No ha funcionado.',
};

export const reminderReplies = { en: english, de: german, fr: french, es: spanish };
