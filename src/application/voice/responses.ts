import { changeItem, refusal, textOf } from './items.ts';
import { addCall, closeMessage, created, openMessage, placeIn, responseOf } from './responseItems.ts';
import { together } from './rights.ts';
import type {
  ActiveResponse,
  Ending,
  OwedAnswer,
  Rest,
  SessionDraft,
  SessionInputOf,
  VoiceQuestion,
} from './sessionState.ts';

/* One response at a time: from what asks for it to its one end, whatever ends it. */

/** Said for the user where an answer was cut off by a noise, and the model had not said all of it. */
const GO_ON =
  'Nothing was said: it was a noise that interrupted you. Go on where you stopped, without a word about that.';
const SPEAK = 'It is your turn to speak.';

/** A client asks for an answer. */
export function takeRespond(draft: SessionDraft, { options, deviceId }: SessionInputOf<'respond'>): void {
  const { response, due } = draft.state;
  const isOpen = response !== null && response.ending === null;
  if (isOpen || due.some(({ type }) => type === 'answer'))
    throw refusal(
      'Conversation already has an active response in progress',
      'conversation_already_has_active_response',
    );
  draft.set({ due: [...due, { type: 'answer', options, devices: together(deviceId) }], rest: null });
}

/** What is owed begins when nothing else is said, and the user does not speak. */
export function proceed(draft: SessionDraft): void {
  const { due, response, utterance, recognising, isOver, options } = draft.state;
  const [next, ...later] = due;
  if (!next || response || isOver) return;
  const isHeard = utterance !== null && options.detection !== null;
  if (isHeard || recognising.some(({ answer }) => answer)) return;
  draft.set({ due: later });
  if (next.type === 'answer') beginAnswer(draft, next);
  else if (next.type === 'rest') beginRest(draft, next.rest);
  else beginSaying(draft, next);
}

function beginAnswer(
  draft: SessionDraft,
  { options, isGoingOn, devices: askedBy }: Extract<OwedAnswer, { type: 'answer' }>,
): void {
  const { unanswered, items, demands, hasReturned, returnedBy, shapedBy } = draft.state;
  const modality = options.modality ?? draft.state.options.modality;
  const saidBy = unanswered.map(({ deviceId }) => deviceId);
  const devices = together(askedBy, ...saidBy, returnedBy, shapedBy);
  const id = begin(draft, { source: 'turn', modality, base: 0, devices, metadata: options.metadata });
  const taken = items.filter((item) => unanswered.some(({ itemId }) => itemId === item.id));
  const said = taken
    .map(textOf)
    .filter((text) => text !== '')
    .join('\n');
  const images = taken.flatMap((item) =>
    item.type === 'message' ? item.content.filter((part) => part.type === 'input_image') : [],
  );
  const isUsers = said !== '' || images.length > 0;
  const nothingSaid = isGoingOn ? GO_ON : hasReturned ? '' : (options.instructions ?? SPEAK);
  const text = isUsers ? said : nothingSaid;
  draft.set({ unanswered: [], hasReturned: false, returnedBy: [], rest: null });
  const question: VoiceQuestion = { text, isUsers, images, options, demands, modality, devices };
  draft.put({ type: 'ask', responseId: id, question });
}

function beginRest(draft: SessionDraft, rest: Rest): void {
  const { turnOf, base, modality, text, devices } = rest;
  const id = begin(draft, { source: 'rest', turnOf, base, modality, devices });
  takeText(draft, { type: 'text', responseId: id, text });
  takeWritten(draft, { type: 'written', responseId: id, status: 'completed', calls: [] });
  // What the model had not said yet is asked for when this is over.
  if (!rest.isWhole)
    draft.set({ due: [{ type: 'answer', options: {}, devices, isGoingOn: true }, ...draft.state.due] });
}

function beginSaying(draft: SessionDraft, { text, voice }: Extract<OwedAnswer, { type: 'say' }>): void {
  const { modality } = draft.state.options;
  const id = begin(draft, { source: 'said', base: 0, modality, devices: [] });
  takeText(draft, { type: 'text', responseId: id, text }, voice);
  takeWritten(draft, { type: 'written', responseId: id, status: 'completed', calls: [] });
}

function begin(
  draft: SessionDraft,
  {
    turnOf,
    ...given
  }: Pick<ActiveResponse, 'source' | 'base' | 'modality' | 'devices' | 'metadata'> & {
    readonly turnOf?: string;
  },
): string {
  const id = draft.newId('resp');
  const response: ActiveResponse = {
    ...given,
    id,
    turnOf: turnOf ?? id,
    itemId: null,
    text: '',
    told: '',
    output: [],
    isAudible: false,
    outcome: null,
    ending: null,
  };
  draft.set({ response });
  draft.tell(created(response));
  return id;
}

/** The model says something. */
export function takeText(
  draft: SessionDraft,
  { responseId, text }: SessionInputOf<'text'>,
  voice?: string,
): void {
  const response = openResponse(draft, responseId);
  if (!response || text === '') return;
  draft.changeResponse({ text: response.text + text });
  const place = openMessage(draft, voice);
  if (response.modality === 'audio') return void draft.put({ type: 'say', text });
  draft.changeResponse({ told: response.told + text });
  draft.tell({ type: 'text_delta', place, delta: text });
}

/** Tools are at work: what was said before is spoken meanwhile, or a word that it takes a moment. */
export function takeWorking(draft: SessionDraft, { responseId, filler }: SessionInputOf<'working'>): void {
  const response = openResponse(draft, responseId);
  if (response?.modality !== 'audio') return;
  if (response.text.trim() !== '') return void draft.put({ type: 'flush' });
  if (filler === undefined) return;
  openMessage(draft);
  draft.put({ type: 'say aside', text: filler });
}

/** Words whose speech is being sent. */
export function takeSpoken(
  draft: SessionDraft,
  { responseId, delta, words }: SessionInputOf<'spoken'>,
): void {
  const response = openResponse(draft, responseId);
  if (!response?.itemId) return;
  draft.changeResponse({ told: response.told + delta });
  draft.tell({ type: 'speech_words', place: placeIn(response), delta, words });
}

/** Nothing more comes of the turn; it is over when all of it was played. */
export function takeWritten(
  draft: SessionDraft,
  { responseId, status, reason, usage, calls, sorry }: SessionInputOf<'written'>,
): void {
  const response = openResponse(draft, responseId);
  if (!response || response.outcome) return;
  const outcome: Ending = { status, reason, usage, calls };
  draft.changeResponse({ outcome });
  if (sorry !== undefined && response.modality === 'audio') {
    openMessage(draft);
    draft.put({ type: 'say aside', text: sorry });
  }
  const { itemId } = responseOf(draft);
  if (itemId === null || response.modality === 'text') end(draft, outcome, null);
  else draft.put({ type: 'finish' });
}

export function takePlayed(draft: SessionDraft, { responseId }: SessionInputOf<'played'>): void {
  const response = openResponse(draft, responseId);
  if (response?.outcome) end(draft, response.outcome, null);
}

/** What was said of it so far is all that is said; `heard` characters of that were heard. */
export function breakOff(
  draft: SessionDraft,
  reason: 'turn_detected' | 'client_cancelled',
  heard: number,
): void {
  const { response, isOver } = draft.state;
  if (!response || response.ending) return;
  const { turnOf, text, base, modality, devices, outcome, source } = response;
  if (modality === 'audio' && response.itemId !== null) draft.put({ type: 'hush' });
  const left = text.slice(heard);
  if (reason === 'turn_detected' && !isOver && (left.trim() !== '' || outcome === null))
    draft.set({
      rest: {
        turnOf,
        text: left,
        base: base + heard,
        modality,
        devices,
        isWhole: outcome !== null || source !== 'turn',
      },
    });
  const told = modality === 'audio' ? text.slice(0, heard) : response.told;
  draft.changeResponse({ told });
  end(
    draft,
    { status: 'cancelled', reason, usage: outcome?.usage, calls: [] },
    modality === 'audio' ? heard : null,
  );
}

/** Its turn ends too, and what was heard of it is kept, before anybody is told that it is over. */
function end(draft: SessionDraft, ending: Ending, characters: number | null): void {
  const { id, turnOf, base, outcome, modality, source, text } = responseOf(draft);
  draft.changeResponse({ ending });
  if (source === 'said') return void takeSettled(draft, { type: 'settled', responseId: id });
  const heard = modality === 'text' ? null : base + (characters ?? text.length);
  draft.put({ type: 'settle', responseId: id, turnOf, cancels: outcome === null, characters: heard });
}

export function takeSettled(draft: SessionDraft, { responseId }: SessionInputOf<'settled'>): void {
  const { response } = draft.state;
  if (response?.id !== responseId || !response.ending) return;
  const { ending, metadata } = response;
  if (response.itemId !== null) closeMessage(draft, ending);
  for (const call of ending.calls) addCall(draft, call);
  const { output } = responseOf(draft);
  draft.set({ response: null });
  const { status, reason, usage } = ending;
  draft.tell({
    type: 'response_done',
    response: { id: responseId, status, reason, output, usage, metadata },
  });
  if (draft.state.isOver) draft.tell({ type: 'ended' });
}

/** The client stopped playing: what it had not played was not heard. */
export function takeTruncated(
  draft: SessionDraft,
  { itemId, audioEndMs, characters }: SessionInputOf<'truncated'>,
): void {
  const item = draft.state.items.find(({ id }) => id === itemId);
  if (item?.type !== 'message' || item.role !== 'assistant') throw refusal(`There is no speech of ${itemId}`);
  const { response } = draft.state;
  if (response?.itemId === itemId && !response.ending) breakOff(draft, 'client_cancelled', characters);
  else {
    const [part] = item.content;
    if (part?.type === 'output_audio') {
      const cut = { ...part, transcript: part.transcript.slice(0, characters) };
      changeItem(draft, { ...item, status: 'incomplete', content: [cut] });
    }
    draft.put({ type: 'heard', itemId, characters });
  }
  draft.set({ rest: null });
  draft.tell({ type: 'item_truncated', itemId, audioEndMs });
}

function openResponse(draft: SessionDraft, responseId: string): ActiveResponse | undefined {
  const { response } = draft.state;
  return response?.id === responseId && !response.ending ? response : undefined;
}
