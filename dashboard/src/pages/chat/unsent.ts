import { now } from '../../api/now.ts';
import { onDevice } from '../../state/kept.ts';
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
  const name = unsentName(sessionId);
  if (onDevice.set(name, JSON.stringify(all))) return;
  onDevice.set(name, JSON.stringify(all.map((one) => ({ ...one, images: [] }))));
}

export function letGoUnsent(sessionId: string, key: string): void {
  const left = unsentOf(sessionId).filter((one) => one.key !== key);
  onDevice.set(unsentName(sessionId), left.length > 0 ? JSON.stringify(left) : undefined);
}

export function unsentOf(sessionId: string): readonly Message[] {
  return listOf<Message>(unsentName(sessionId)).filter(({ at }) => now() - at < LONGEST_MS);
}

/** What is typed and not said yet. */
export function draftOf(sessionId: string): string {
  return onDevice.get(draftName(sessionId)) ?? '';
}

export function keepDraft(sessionId: string, text: string): void {
  onDevice.set(draftName(sessionId), text || undefined);
}

/** Pictures that are to go with it. Without room for them none is kept, not those of before. */
export function draftImagesOf(sessionId: string): readonly Attachment[] {
  return listOf(imagesName(sessionId));
}

/** What is damaged there, or somebody else wrote, is not what was kept. */
function listOf<Kept>(name: string): readonly Kept[] {
  try {
    const all: unknown = JSON.parse(onDevice.get(name) ?? '[]');
    return Array.isArray(all) ? all.filter((one) => typeof one === 'object' && one !== null) : [];
  } catch {
    return [];
  }
}

export function keepDraftImages(sessionId: string, images: readonly Attachment[]): void {
  onDevice.set(imagesName(sessionId), images.length > 0 ? JSON.stringify(images) : undefined);
}

/** Of a conversation that was erased, this browser keeps nothing either. */
export function letGoAll(sessionId: string): void {
  for (const nameOf of [unsentName, draftName, imagesName]) onDevice.set(nameOf(sessionId), undefined);
}
