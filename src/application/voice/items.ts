import { HarkError } from '../../errors.ts';
import type { ConversationItem } from './conversation.ts';
import { shape, together } from './rights.ts';
import type { SessionDraft, SessionInputOf } from './sessionState.ts';

/* The items of a conversation: what was said, called and returned, in order, as a client of the Realtime API knows them. */

/** A conversation of hours keeps its newest; the log has all of them. */
const MOST_ITEMS = 1_000;
/** Of all items together, pictures among them. */
const MOST_CHARACTERS = 16_000_000;
const LONGEST_TEXT = 200_000;
const MOST_DEMANDS = 32;

export function addItem(draft: SessionDraft, item: ConversationItem, after?: string | null): void {
  const previousItemId = putIn(draft, item, after);
  draft.tell({ type: 'item_added', item, previousItemId });
  if (item.status !== 'in_progress') draft.tell({ type: 'item_done', item, previousItemId });
}

/** Returns the one before it. */
export function putIn(draft: SessionDraft, item: ConversationItem, after?: string | null): string | null {
  const { items } = draft.state;
  if (items.some(({ id }) => id === item.id)) throw refusal(`There is an item ${item.id} already`);
  const at = after === undefined ? items.length : after === null ? 0 : placeOf(draft, after) + 1;
  const all = [...items.slice(0, at), item, ...items.slice(at)];
  draft.set({ items: newest(all) });
  return items[at - 1]?.id ?? null;
}

export function changeItem(draft: SessionDraft, item: ConversationItem): void {
  draft.set({ items: draft.state.items.map((one) => (one.id === item.id ? item : one)) });
}

export function finishItem(draft: SessionDraft, item: ConversationItem): void {
  changeItem(draft, item);
  const { items } = draft.state;
  const at = items.findIndex(({ id }) => id === item.id);
  draft.tell({ type: 'item_done', item, previousItemId: items[at - 1]?.id ?? null });
}

function newest(items: readonly ConversationItem[]): readonly ConversationItem[] {
  let left = MOST_CHARACTERS;
  let first = items.length;
  while (first > 0 && items.length - first < MOST_ITEMS) {
    const item = items[first - 1];
    left -= item ? charactersIn(item) : 0;
    if (left < 0) break;
    first--;
  }
  return items.slice(first);
}

function charactersIn(item: ConversationItem): number {
  if (item.type === 'function_call') return item.arguments.length;
  if (item.type === 'function_call_output') return item.output.length;
  return item.content.reduce(
    (sum, part) => sum + ('base64' in part ? part.base64.length : 200),
    textOf(item).length,
  );
}

/** What a client puts in: words, pictures, what its tools gave, and what was said elsewhere. */
export function takeAdded(draft: SessionDraft, { item, after, deviceId }: SessionInputOf<'added'>): void {
  const isLong = textOf(item).length > LONGEST_TEXT || charactersIn(item) > MOST_CHARACTERS;
  if (isLong) throw refusal(`The item ${item.id} is too long`);
  if (item.type === 'message' && item.role === 'system' && draft.state.demands.length >= MOST_DEMANDS)
    throw refusal('There are too many items of the system');
  // What is being said has its id before it is an item.
  if (item.id === draft.state.utterance) throw refusal(`There is an item ${item.id} already`);
  if (item.type === 'message' && item.role === 'system') shape(draft, deviceId);
  addItem(draft, item, after);
  const { unanswered, demands, returnedBy } = draft.state;
  if (item.type === 'function_call_output') {
    draft.put({ type: 'return', callId: item.callId, output: item.output });
    draft.set({ hasReturned: true, returnedBy: together(returnedBy, deviceId) });
  } else if (item.type === 'message') {
    if (item.role === 'user') draft.set({ unanswered: [...unanswered, { itemId: item.id, deviceId }] });
    else if (item.role === 'system') draft.set({ demands: [...demands, textOf(item)] });
    else if (textOf(item) !== '') draft.put({ type: 'note', text: textOf(item) });
  }
}

export function takeRemoved(draft: SessionDraft, { itemId }: SessionInputOf<'removed'>): void {
  placeOf(draft, itemId);
  const { items, unanswered, recognising } = draft.state;
  draft.set({
    items: items.filter(({ id }) => id !== itemId),
    unanswered: unanswered.filter((one) => one.itemId !== itemId),
    recognising: recognising.filter((one) => one.itemId !== itemId),
  });
  draft.tell({ type: 'item_deleted', itemId });
}

export function textOf(item: ConversationItem): string {
  if (item.type !== 'message') return '';
  const texts = item.content.map((part) =>
    'text' in part ? part.text : 'transcript' in part ? (part.transcript ?? '') : '',
  );
  return texts.filter((text) => text.trim() !== '').join('\n');
}

function placeOf(draft: SessionDraft, itemId: string): number {
  const at = draft.state.items.findIndex(({ id }) => id === itemId);
  if (at === -1) throw refusal(`There is no item ${itemId}`);
  return at;
}

export function refusal(message: string, code = 'invalid_value'): HarkError {
  return new HarkError('BAD_REQUEST', { message, body: { code } });
}
