/** What is replied to a wish to be reminded where no model answers, in one language. */
interface ReminderReplies {
  /** `times` tell when: in words what comes again, and the next time. */
  set(text: string, times: readonly (string | undefined)[]): string;
  /** No time was named. */
  when(text: string): string;
  readonly failed: string;
}

const english: ReminderReplies = {
  set: (text, times) => `I will say this: ${text}\n${told(times)}`,
  when: (text) => `When? Say it with a time, as in "Remind me tomorrow at 9: ${text}"`,
  failed: 'That did not work.',
};

const german: ReminderReplies = {
  set: (text, times) => `Ich sage dir dann: ${text}\n${told(times)}`,
  when: (text) => `Wann? Sag es mit einer Zeit, zum Beispiel: „Erinnere mich morgen um 9: ${text}“`,
  failed: 'Das hat nicht geklappt.',
};

function told(times: readonly (string | undefined)[]): string {
  return times.filter((one) => one !== undefined).join('; ');
}

export const reminderReplies = { english, german };
