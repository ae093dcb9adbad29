import type { ConversationItem, OutputPlace, VoiceEvent } from './conversation.ts';
import { finishItem, putIn } from './items.ts';
import type { ActiveResponse, ClientCall, Ending, SessionDraft, VoiceSessionState } from './sessionState.ts';

/* What a response puts into the conversation, a message and calls of the client's tools, and how clients are told of it. */

/** The message of the response, which begins with its first words. */
export function openMessage(draft: SessionDraft, voice = draft.state.options.voice): OutputPlace {
  const response = responseOf(draft);
  if (response.itemId !== null) return placeIn(response);
  const itemId = draft.newId('item');
  const item: ConversationItem = {
    id: itemId,
    type: 'message',
    role: 'assistant',
    status: 'in_progress',
    content: [],
  };
  draft.changeResponse({ itemId, output: [...response.output, item] });
  const place = placeIn(responseOf(draft));
  draft.tell({ type: 'output_item_added', responseId: response.id, index: place.outputIndex, item });
  draft.tell({ type: 'item_added', item, previousItemId: putIn(draft, item) });
  draft.tell({ type: 'content_part_added', place, part: partOf(response.modality, '') });
  if (response.modality === 'audio') draft.put({ type: 'open mouth', place, voice });
  if (response.modality === 'audio' && draft.state.isHeld) draft.put({ type: 'hold' });
  return place;
}

export function closeMessage(draft: SessionDraft, { status }: Ending): void {
  const response = responseOf(draft);
  const place = placeIn(response);
  const isWhole = status === 'completed';
  const text = response.modality === 'audio' && isWhole ? response.text : response.told;
  const part = partOf(response.modality, text);
  if (response.modality === 'audio') {
    draft.tell({ type: 'audio_done', place });
    draft.tell({ type: 'speech_words_done', place, text });
  } else draft.tell({ type: 'text_done', place, text });
  draft.tell({ type: 'content_part_done', place, part });
  const item: ConversationItem = {
    id: place.itemId,
    type: 'message',
    role: 'assistant',
    status: isWhole ? 'completed' : 'incomplete',
    content: [part],
  };
  draft.changeResponse({ output: response.output.map((one) => (one.id === item.id ? item : one)) });
  draft.tell({ type: 'output_item_done', responseId: response.id, index: place.outputIndex, item });
  finishItem(draft, item);
}

/** A call of a tool that the client runs. */
export function addCall(draft: SessionDraft, { callId, name, arguments: text }: ClientCall): void {
  const response = responseOf(draft);
  const id = draft.newId('item');
  const item = { id, type: 'function_call', status: 'completed', callId, name, arguments: text } as const;
  const index = response.output.length;
  const begun = { ...item, status: 'in_progress', arguments: '' } as const;
  const place = { responseId: response.id, itemId: id, outputIndex: index, contentIndex: 0 };
  draft.tell({ type: 'output_item_added', responseId: response.id, index, item: begun });
  draft.tell({ type: 'item_added', item: begun, previousItemId: putIn(draft, begun) });
  draft.tell({ type: 'arguments_delta', place, callId, name, text });
  draft.tell({ type: 'arguments_done', place, callId, name, text });
  draft.changeResponse({ output: [...response.output, item] });
  draft.tell({ type: 'output_item_done', responseId: response.id, index, item });
  finishItem(draft, item);
}

/** The response that is being given, for who comes into it. */
export function responseSoFar({ response, items }: VoiceSessionState): readonly VoiceEvent[] {
  if (!response || response.ending) return [];
  const { id: responseId, modality } = response;
  const at = items.findIndex(({ id }) => id === response.itemId);
  const item = items[at];
  if (!item) return [created(response)];
  const place = placeIn(response);
  return [
    created(response),
    { type: 'output_item_added', responseId, index: place.outputIndex, item },
    { type: 'item_added', item, previousItemId: items[at - 1]?.id ?? null },
    { type: 'content_part_added', place, part: partOf(modality, '') },
  ];
}

export function created({ id, metadata }: ActiveResponse): VoiceEvent {
  return { type: 'response_created', response: { id, status: 'in_progress', output: [], metadata } };
}

export function responseOf(draft: SessionDraft): ActiveResponse {
  if (!draft.state.response) throw new TypeError('There is no response');
  return draft.state.response;
}

export function placeIn({ id, itemId, output }: ActiveResponse): OutputPlace {
  const index = output.findIndex((item) => item.id === itemId);
  return { responseId: id, itemId: itemId ?? '', outputIndex: Math.max(0, index), contentIndex: 0 };
}

function partOf(modality: 'audio' | 'text', text: string) {
  return modality === 'audio'
    ? ({ type: 'output_audio', transcript: text } as const)
    : ({ type: 'output_text', text } as const);
}
