import type { ConversationItem } from './conversation.ts';
import { addItem, finishItem } from './items.ts';
import { breakOff } from './responses.ts';
import type { SessionDraft, SessionInputOf } from './sessionState.ts';

/* An utterance, from its first sound to its words, and to the answer that is owed for them. */

export function takeStarted(draft: SessionDraft, { atMs }: SessionInputOf<'started'>): void {
  const itemId = draft.state.utterance ?? draft.newId('item');
  draft.set({ utterance: itemId });
  draft.tell({ type: 'speech_started', itemId, atMs });
  const { response, options } = draft.state;
  // Nothing begins to be said while somebody speaks.
  if (response?.isAudible || options.detection?.interruptResponse === false) return;
  draft.set({ isHeld: true });
  draft.put({ type: 'hold' });
}

export function takeStopped(draft: SessionDraft, { atMs }: SessionInputOf<'stopped'>): void {
  const { utterance } = draft.state;
  if (utterance !== null) draft.tell({ type: 'speech_stopped', itemId: utterance, atMs });
}

export function takeCommitted(
  draft: SessionDraft,
  { said, answer, isAside, deviceId }: SessionInputOf<'committed'>,
): void {
  const { utterance, told, items, recognising } = draft.state;
  const itemId = utterance ?? draft.newId('item');
  draft.set({
    utterance: null,
    told: '',
    recognising: [...recognising, { itemId, answer: answer && !isAside, isAside, deviceId, told }],
  });
  draft.tell({ type: 'committed', itemId, previousItemId: items.at(-1)?.id ?? null });
  addItem(draft, saidItem(itemId, null, 'in_progress'));
  draft.put({ type: 'recognise', itemId, said });
}

function saidItem(
  id: string,
  transcript: string | null,
  status: 'in_progress' | 'completed' | 'incomplete',
): ConversationItem {
  return { id, type: 'message', role: 'user', status, content: [{ type: 'input_audio', transcript }] };
}

/** What the engine understood so far of the utterance that is heard. */
export function takeUnderstanding(draft: SessionDraft, { text }: SessionInputOf<'understanding'>): void {
  const { utterance, told } = draft.state;
  if (utterance === null) return;
  tellMore(draft, utterance, told, text);
  if (text.startsWith(told)) draft.set({ told: text });
}

/** Clients add up what they are told. What was understood otherwise before is put right when all of it is. */
function tellMore(draft: SessionDraft, itemId: string, told: string, text: string): void {
  if (text.startsWith(told) && text !== told)
    draft.tell({ type: 'transcript_delta', itemId, delta: text.slice(told.length) });
}

export function takeRecognized(
  draft: SessionDraft,
  { itemId, text, words }: SessionInputOf<'recognized'>,
  heard: number,
): void {
  const utterance = recognised(draft, itemId);
  if (!utterance) return;
  tellMore(draft, itemId, utterance.told, text);
  finishItem(draft, saidItem(itemId, text, 'completed'));
  draft.tell({ type: 'transcript', itemId, text, words });
  if (text.trim() === '' || utterance.isAside) return void goOn(draft);
  const { unanswered, options, response } = draft.state;
  draft.set({ unanswered: [...unanswered, { itemId, deviceId: utterance.deviceId }], rest: null });
  if (!utterance.answer) return void goOn(draft);
  if (response && options.detection?.interruptResponse !== false) breakOff(draft, 'turn_detected', heard);
  const { due } = draft.state;
  const later = due.filter((one) => one.type === 'say');
  draft.set({ isHeld: false, rest: null, due: [{ type: 'answer', options: {}, devices: [] }, ...later] });
}

export function takeUnrecognized(
  draft: SessionDraft,
  { itemId, code, message }: SessionInputOf<'unrecognized'>,
): void {
  if (!recognised(draft, itemId)) return;
  finishItem(draft, saidItem(itemId, null, 'incomplete'));
  draft.tell({ type: 'transcript_failed', itemId, code, message });
  goOn(draft);
}

function recognised(draft: SessionDraft, itemId: string) {
  const { recognising } = draft.state;
  draft.set({ recognising: recognising.filter((one) => one.itemId !== itemId) });
  return recognising.find((one) => one.itemId === itemId);
}

/** Nobody had spoken: what was held back is said, and what was interrupted goes on. */
export function goOn(draft: SessionDraft): void {
  const { rest, due, isHeld, utterance } = draft.state;
  if (utterance !== null) return;
  if (isHeld) draft.put({ type: 'release' });
  draft.set({ isHeld: false, rest: null });
  if (rest && !due.some(({ type }) => type === 'answer'))
    draft.set({ due: [{ type: 'rest', rest }, ...due] });
}
