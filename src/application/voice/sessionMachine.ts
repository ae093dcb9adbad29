import { HarkError } from '../../errors.ts';
import type { ConversationItem, VoiceOptions, VoiceState } from './conversation.ts';
import { refusal, takeAdded, takeRemoved } from './items.ts';
import {
  breakOff,
  proceed,
  takePlayed,
  takeRespond,
  takeSettled,
  takeSpoken,
  takeText,
  takeTruncated,
  takeWorking,
  takeWritten,
} from './responses.ts';
import { isShaping, shape } from './rights.ts';
import {
  SessionDraft,
  type SessionEffect,
  type SessionInput,
  type SessionInputOf,
  type VoiceSessionState,
} from './sessionState.ts';
import {
  goOn,
  takeCommitted,
  takeRecognized,
  takeStarted,
  takeStopped,
  takeUnderstanding,
  takeUnrecognized,
} from './utterances.ts';

/*
 * A session of voice as a state machine: utterances on one side, one response at a time on the other.
 *
 *   started ─► (stopped) ─► committed ─► recognized, with words ─► unanswered ─► due ─► response
 *      └► dropped                  └► recognized, without: what it had interrupted goes on
 *
 *   due ─► response: ask ─► text … written ─► played ─► settle ─► settled, and over
 *                      └► interrupted, cancelled, truncated ─► settle ─► settled, and over
 *
 * An item of the user is taken by one response, and with it no longer unanswered: it is answered once at most. A response
 * is over when what was heard of it is in the log. What is due waits for the response before, and for the user to finish.
 * Samples never come here: see hearing.ts and mouth.ts.
 */

/** So much waits to be said. */
const MOST_DUE = 64;

export function beginSession(
  prefix: string,
  options: VoiceOptions,
  openedBy: string | undefined,
): VoiceSessionState {
  return {
    prefix,
    ids: 0,
    options,
    openedBy,
    shapedBy: [],
    state: 'idle',
    items: [],
    utterance: null,
    told: '',
    recognising: [],
    unanswered: [],
    demands: [],
    hasReturned: false,
    returnedBy: [],
    due: [],
    response: null,
    rest: null,
    isHeld: false,
    isOver: false,
  };
}

/** `heard`: so many characters of what is being said were heard by now. Throws where the client may not do that. */
export function next(
  state: VoiceSessionState,
  input: SessionInput,
  heard: number,
): { readonly state: VoiceSessionState; readonly effects: readonly SessionEffect[] } {
  if (state.isOver && input.type !== 'settled') return { state, effects: [] };
  const draft = new SessionDraft(state);
  take(draft, input, heard);
  proceed(draft);
  tellState(draft);
  return { state: draft.state, effects: draft.effects };
}

function take(draft: SessionDraft, input: SessionInput, heard: number): void {
  switch (input.type) {
    case 'configured':
      if (isShaping(input.change, draft.state.options)) shape(draft, input.deviceId);
      draft.set({ options: { ...draft.state.options, ...input.change } });
      break;
    case 'started':
      takeStarted(draft, input);
      break;
    case 'stopped':
      takeStopped(draft, input);
      break;
    case 'committed':
      takeCommitted(draft, input);
      break;
    case 'dropped':
    case 'cleared':
      draft.set({ utterance: null, told: '' });
      if (input.type === 'cleared') draft.tell({ type: 'cleared' });
      goOn(draft);
      break;
    case 'lowered':
      draft.put({ type: 'lower' });
      break;
    case 'raised':
      draft.put({ type: 'raise' });
      break;
    case 'interrupted':
      if (draft.state.response?.isAudible) breakOff(draft, 'turn_detected', heard);
      return;
    case 'understanding':
      takeUnderstanding(draft, input);
      break;
    case 'recognized':
      takeRecognized(draft, input, heard);
      break;
    case 'unrecognized':
      takeUnrecognized(draft, input);
      break;
    case 'added':
      takeAdded(draft, input);
      break;
    case 'removed':
      takeRemoved(draft, input);
      break;
    case 'truncated':
      takeTruncated(draft, input);
      break;
    case 'respond':
      takeRespond(draft, input);
      break;
    case 'cancelled':
      takeCancelled(draft, input, heard);
      break;
    case 'silenced':
      draft.set({ rest: null });
      breakOff(draft, 'client_cancelled', heard);
      break;
    case 'say':
      // Who asks that often is told, and the session goes on.
      if (draft.state.due.length >= MOST_DUE) throw new HarkError('TOO_MANY_REQUESTS');
      draft.set({ due: [...draft.state.due, input] });
      break;
    case 'text':
      takeText(draft, input);
      break;
    case 'working':
      takeWorking(draft, input);
      break;
    case 'written':
      takeWritten(draft, input);
      break;
    case 'sounded':
      if (draft.state.response?.id === input.responseId) draft.changeResponse({ isAudible: true });
      return;
    case 'spoken':
      takeSpoken(draft, input);
      break;
    case 'played':
      takePlayed(draft, input);
      break;
    case 'settled':
      takeSettled(draft, input);
      break;
    case 'ended':
      takeEnded(draft, heard);
      break;
  }
}

function takeCancelled(
  draft: SessionDraft,
  { responseId }: SessionInputOf<'cancelled'>,
  heard: number,
): void {
  const { response } = draft.state;
  if (!response || response.ending || (responseId !== undefined && responseId !== response.id))
    throw refusal('Cancellation failed: no active response found', 'response_cancel_not_active');
  draft.set({ rest: null });
  breakOff(draft, 'client_cancelled', heard);
}

function takeEnded(draft: SessionDraft, heard: number): void {
  draft.set({ isOver: true, due: [], rest: null });
  breakOff(draft, 'client_cancelled', heard);
  // Of what is being said, everybody is told first how it ended.
  if (!draft.state.response) draft.tell({ type: 'ended' });
}

function tellState(draft: SessionDraft): void {
  const { response, utterance, recognising, due, state, isOver } = draft.state;
  const isAnswering = response !== null || due.length > 0 || recognising.some(({ answer }) => answer);
  const isSpeaking = response?.isAudible === true && !response.ending;
  const now: VoiceState = isSpeaking
    ? 'speaking'
    : utterance !== null
      ? 'listening'
      : isAnswering
        ? 'thinking'
        : 'idle';
  if (now === state || isOver) return;
  draft.set({ state: now });
  draft.tell({ type: 'state', state: now });
  const last = draft.state.items.findLast((item) => item.type === 'message' && item.role === 'assistant');
  draft.put({
    type: 'doing',
    doing: now,
    asked: last !== undefined && /[?？؟]["'”»)]?\s*$/.test(saidIn(last)),
  });
}

function saidIn(item: ConversationItem): string {
  if (item.type !== 'message') return '';
  return item.content
    .map((part) => ('transcript' in part ? (part.transcript ?? '') : 'text' in part ? part.text : ''))
    .join(' ');
}
