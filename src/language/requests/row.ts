import { piece } from '../../regExp.ts';

/** What somebody asks of memory. */
export type RequestKind = 'remember' | 'forget' | 'forget-all' | 'correct' | 'about';

/** A row of a table. What stands in it as an example is a test of it (`test/language/requests.test.ts`). */
interface RequestRow {
  readonly kind: RequestKind;
  /** Over what a sentence says from one of its beginnings on. The group `what` is what is to be remembered … */
  readonly pattern: RegExp;
  /** What somebody says, and of what; nothing for all, or for what was said last. */
  readonly examples: readonly (readonly [said: string, what: string])[];
  /** Of which this row makes nothing, however much it looks like it. */
  readonly counterExamples: readonly string[];
}

/** The rows of one language, and how it tells of what somebody asked to be remembered. */
export interface RequestTable {
  readonly rows: readonly RequestRow[];
  readonly told: (what: string) => string;
}

/** Where a request ends that names nothing further. */
export const END = ' ?(?:$|[,.;:!?…])';

/** A pattern from the start of a clause; `lead` is what may come before, as often as it likes. */
export function asks(lead: string): (parts: TemplateStringsArray, ...pieces: readonly string[]) => RegExp {
  return (parts, ...pieces) => new RegExp(`^(?:(?:${lead})[,!.]? )*(?:${piece(parts, ...pieces)})`, 'iu');
}
