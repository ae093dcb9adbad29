import { regExp } from '../../regExp.ts';

const ASKING = regExp('iu')`
  remind(?: me|er)|timer|wake me|wake-?up call|alarm|erinnere?n? mich|erinnerung|wecke? mich|wecker|rappel
  |minut(?:eur|erie)|réveil|recu[eé]rdame|recordarme|recordatorio|temporizador|despiértame|despertador`;

/** Whether the rules of reminders are worth asking: it is looked for in every message. */
export function asksForReminder(text: string): boolean {
  return ASKING.test(text);
}
