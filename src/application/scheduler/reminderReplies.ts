/** What is replied to a wish to be reminded where no model answers, in one language. */
interface ReminderReplies {
  /** `when` in words: what comes again with its next time. */
  set(text: string, when: string): string;
  /** No time was named. */
  when(text: string): string;
  readonly failed: string;
  readonly nothingWaits: string;
  waiting(lines: string): string;
  /** Several are meant, and one is to be cancelled. */
  which(lines: string): string;
  cancelled(lines: string): string;
}

const english: ReminderReplies = {
  set: (text, when) => `I will say this: ${text}\n${when}`,
  when: (text) => `When? Say it with a time, as in "Remind me tomorrow at 9: ${text}"`,
  failed: 'That did not work.',
  nothingWaits: 'Nothing of that kind is set.',
  waiting: (lines) => `This is set:\n${lines}`,
  which: (lines) => `Which one? Say what it is about.\n${lines}`,
  cancelled: (lines) => `I have cancelled this:\n${lines}`,
};

const german: ReminderReplies = {
  set: (text, when) => `Ich sage dir dann: ${text}\n${when}`,
  when: (text) => `Wann? Sag es mit einer Zeit, zum Beispiel: „Erinnere mich morgen um 9: ${text}“`,
  failed: 'Das hat nicht geklappt.',
  nothingWaits: 'Nichts dergleichen ist gestellt.',
  waiting: (lines) => `Das ist gestellt:\n${lines}`,
  which: (lines) => `Was davon? Sag, worum es geht.\n${lines}`,
  cancelled: (lines) => `Das habe ich abgesagt:\n${lines}`,
};

const french: ReminderReplies = {
  set: (text, when) => `Je te dirai ceci : ${text}\n${when}`,
  when: (text) => `Quand ? Dis-le avec une heure, par exemple : « Rappelle-moi demain à 9 h : ${text} »`,
  failed: 'Cela n’a pas marché.',
  nothingWaits: 'Rien de tel n’est prévu.',
  waiting: (lines) => `Voici ce qui est prévu :\n${lines}`,
  which: (lines) => `Lequel ? Dis de quoi il s’agit.\n${lines}`,
  cancelled: (lines) => `J’ai annulé ceci :\n${lines}`,
};

const spanish: ReminderReplies = {
  set: (text, when) => `Te diré esto: ${text}\n${when}`,
  when: (text) => `¿Cuándo? Dilo con una hora, por ejemplo: «Recuérdame mañana a las 9: ${text}»`,
  failed: 'No ha funcionado.',
  nothingWaits: 'No hay nada así programado.',
  waiting: (lines) => `Esto está programado:\n${lines}`,
  which: (lines) => `¿Cuál? Di de qué se trata.\n${lines}`,
  cancelled: (lines) => `He cancelado esto:\n${lines}`,
};

export const reminderReplies = { en: english, de: german, fr: french, es: spanish };
