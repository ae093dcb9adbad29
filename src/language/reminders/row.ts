/** What is to come at its time: words, the end of a timer, or an alarm. */
export type ReminderKind = 'remind' | 'timer' | 'alarm';

interface ReminderRow {
  readonly kind: ReminderKind;
  /**
   * Over a sentence; the group `rest` is the time and what it is about, in either order, and there is a group `wakes`
   * where somebody is to be woken.
   */
  readonly pattern: RegExp;
  /** What somebody says, when, and of what; nothing where that is not said. What stands here is a test of it. */
  readonly examples: readonly (readonly [said: string, when: string, what: string])[];
  readonly counterExamples: readonly string[];
}

/** How one language asks to be told something later. */
export interface ReminderTable {
  readonly rows: readonly ReminderRow[];
  /** Words between the request, the time and what it is about: "to", "that", "of". */
  readonly between: RegExp;
  /** What those who read a time pass over, and what is not of it: "in 20 minutes for the". */
  readonly notOfTime: RegExp;
  /** What asks memory: "remind me what my dog is called". */
  readonly question: RegExp;
  /** What is said at the time where nothing else is to be said. */
  readonly said: Readonly<Record<'timer' | 'alarm', string>>;
}
