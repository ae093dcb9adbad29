import type { Attachment } from './turn.ts';

/** What was said and is not known to have been taken. */
export interface Message {
  readonly key: string;
  readonly at: number;
  readonly text: string;
  readonly images: readonly Attachment[];
  /** The turn in whose place it stands. */
  readonly replaces?: string | undefined;
}

/** What is older was given up. */
const LONGEST_MS = 86_400_000;

const unsentName = (sessionId: string) => `hark.unsent.${sessionId}`;
const imagesName = (sessionId: string) => `hark.images.${sessionId}`;
const draftName = (sessionId: string) => `hark.draft.${sessionId}`;

/** Kept over a reload, with its images where there is room for them. */
export function keepUnsent(sessionId: string, message: Message): void {
  const all = [...unsentOf(sessionId), message];
  if (!store(unsentName(sessionId), all))
    store(
      unsentName(sessionId),
      all.map((one) => ({ ...one, images: [] })),
    );
}

export function letGoUnsent(sessionId: string, key: string): void {
  const left = unsentOf(sessionId).filter((one) => one.key !== key);
  if (left.length > 0) store(unsentName(sessionId), left);
  else localStorage.removeItem(unsentName(sessionId));
}

export function unsentOf(sessionId: string): readonly Message[] {
  const text = localStorage.getItem(unsentName(sessionId));
  const all: unknown = text === null ? [] : JSON.parse(text);
  return Array.isArray(all) ? all.filter(({ at }: Message) => Date.now() - at < LONGEST_MS) : [];
}

/** What is typed and not said yet. */
export function draftOf(sessionId: string): string {
  return localStorage.getItem(draftName(sessionId)) ?? '';
}

export function keepDraft(sessionId: string, text: string): void {
  if (text === '') localStorage.removeItem(draftName(sessionId));
  else store(draftName(sessionId), text);
}

/** Pictures that are to go with it. Without room for them none is kept, not those of before. */
export function draftImagesOf(sessionId: string): readonly Attachment[] {
  const text = localStorage.getItem(imagesName(sessionId));
  const all: unknown = text === null ? [] : JSON.parse(text);
  return Array.isArray(all) ? all : [];
}

export function keepDraftImages(sessionId: string, images: readonly Attachment[]): void {
  const name = imagesName(sessionId);
  if (images.length === 0 || !store(name, images)) localStorage.removeItem(name);
}

/** Of a conversation that was erased, this browser keeps nothing either. */
export function letGoAll(sessionId: string): void {
  for (const nameOf of [unsentName, draftName, imagesName]) localStorage.removeItem(nameOf(sessionId));
}

function store(name: string, value: unknown): boolean {
  try {
    localStorage.setItem(name, typeof value === 'string' ? value : JSON.stringify(value));
    return true;
  } catch {
    // No room. What stands in the page stays there.
    return false;
  }
}
