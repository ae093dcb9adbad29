import { ownWords } from '../../language/ownWords.ts';
import type { Passage } from '../../projections/memory/index/documents.ts';

/** Names that nobody else may have. */
const OURS = /^[^\p{L}]*(?:the )?(?:user|you|me|summary|system|assistant|prompt)[^\p{L}]*$/iu;
const LONGEST_NAME = 60;
const LONGEST_TEXT = 20_000;

interface Spoken {
  readonly kind: string;
  readonly role?: Passage['role'] | undefined;
  readonly speaker?: string | undefined;
  readonly text: string;
}

/** Whose words they are, as a model is told of what it is told of them; nobody's where they are ours. */
export function speakerOf({ kind, role, speaker, text }: Spoken, told: string): string | undefined {
  if (kind === 'episode') return 'Summary';
  if (kind !== 'turn') return undefined;
  if (role === 'prompt') return 'Prompt, not by the user';
  const name = speaker === undefined || OURS.test(speaker) ? undefined : speaker.slice(0, LONGEST_NAME);
  if (role !== 'user') return name ?? 'Assistant';
  return `${name ?? 'User'}${isShown(text.slice(0, LONGEST_TEXT), told) ? ', in part quoting others' : ''}`;
}

/** Whether the user only shows some of what is told of what they said. */
function isShown(text: string, told: string): boolean {
  const at = text.indexOf(told);
  // Where a remark of ours goes with it, it is all of it or none.
  const place = at === -1 ? [0] : [at, at + told.length];
  return ownWords(text).slice(...place) !== text.slice(...place);
}
