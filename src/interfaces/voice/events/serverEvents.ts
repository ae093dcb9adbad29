import type { OutputPlace, VoiceEvent, VoiceResponse } from '../../../application/voice/conversation.ts';
import { outputPart, shownItem } from './items.ts';

type Shown = Readonly<Record<string, unknown> & { type: string }>;

/** What speaks of its own accord is not told as an event: audio, and what ends a connection. */
export type ToldEvent = Exclude<VoiceEvent, { readonly type: 'audio' | 'ended' | 'error' }>;

/** What all responses of a connection are shown with. */
export interface ResponseFacts {
  readonly conversationId: string;
  readonly audio: Readonly<Record<string, unknown>>;
  readonly modality: string;
  readonly mostOutputTokens: number | 'inf';
}

/** By the names of OpenAI's Realtime API, as they are since it is generally available. */
export function shownEvent(event: ToldEvent, factsOf: () => ResponseFacts): Shown {
  switch (event.type) {
    case 'state':
      return { type: 'hark.state', state: event.state };
    case 'speech_started':
      return { type: 'input_audio_buffer.speech_started', audio_start_ms: event.atMs, item_id: event.itemId };
    case 'speech_stopped':
      return { type: 'input_audio_buffer.speech_stopped', audio_end_ms: event.atMs, item_id: event.itemId };
    case 'committed':
      return {
        type: 'input_audio_buffer.committed',
        item_id: event.itemId,
        previous_item_id: event.previousItemId,
      };
    case 'cleared':
      return { type: 'input_audio_buffer.cleared' };
    case 'transcript_delta':
    case 'transcript':
    case 'transcript_failed':
      return shownTranscript(event);
    case 'item_added':
    case 'item_done':
      return {
        type: event.type === 'item_added' ? 'conversation.item.added' : 'conversation.item.done',
        previous_item_id: event.previousItemId,
        item: shownItem(event.item),
      };
    case 'item_deleted':
      return { type: 'conversation.item.deleted', item_id: event.itemId };
    case 'item_truncated':
      return {
        type: 'conversation.item.truncated',
        item_id: event.itemId,
        content_index: 0,
        audio_end_ms: event.audioEndMs,
      };
    case 'response_created':
    case 'response_done':
      return {
        type: event.type === 'response_created' ? 'response.created' : 'response.done',
        response: shownResponse(event.response, factsOf()),
      };
    default:
      return shownOutput(event);
  }
}

function shownTranscript(
  event: Extract<VoiceEvent, { readonly type: 'transcript_delta' | 'transcript' | 'transcript_failed' }>,
): Shown {
  const of = { item_id: event.itemId, content_index: 0 };
  switch (event.type) {
    case 'transcript_delta':
      return { type: 'conversation.item.input_audio_transcription.delta', ...of, delta: event.delta };
    case 'transcript':
      return {
        type: 'conversation.item.input_audio_transcription.completed',
        ...of,
        transcript: event.text,
        words: event.words,
        usage: { type: 'duration', seconds: event.words.at(-1)?.end ?? 0 },
      };
    case 'transcript_failed': {
      const { code, message } = event;
      const error = { type: 'server_error', code, message, param: null };
      return { type: 'conversation.item.input_audio_transcription.failed', ...of, error };
    }
  }
}

type OutputEvent = Exclude<
  ToldEvent,
  {
    readonly type:
      | 'state'
      | 'speech_started'
      | 'speech_stopped'
      | 'committed'
      | 'cleared'
      | 'transcript_delta'
      | 'transcript'
      | 'transcript_failed'
      | 'item_added'
      | 'item_done'
      | 'item_deleted'
      | 'item_truncated'
      | 'response_created'
      | 'response_done';
  }
>;

function shownOutput(event: OutputEvent): Shown {
  if (!('place' in event))
    return {
      type: event.type === 'output_item_added' ? 'response.output_item.added' : 'response.output_item.done',
      response_id: event.responseId,
      output_index: event.index,
      item: shownItem(event.item),
    };
  const of = shownPlace(event.place);
  switch (event.type) {
    case 'content_part_added':
    case 'content_part_done':
      return {
        type:
          event.type === 'content_part_added' ? 'response.content_part.added' : 'response.content_part.done',
        ...of,
        part: outputPart(event.part),
      };
    case 'text_delta':
      return { type: 'response.output_text.delta', ...of, delta: event.delta };
    case 'text_done':
      return { type: 'response.output_text.done', ...of, text: event.text };
    case 'speech_words':
      return {
        type: 'response.output_audio_transcript.delta',
        ...of,
        delta: event.delta,
        words: event.words,
      };
    case 'speech_words_done':
      return { type: 'response.output_audio_transcript.done', ...of, transcript: event.text };
    case 'audio_done':
      return { type: 'response.output_audio.done', ...of };
    case 'arguments_delta':
    case 'arguments_done':
      return shownArguments(event);
  }
}

function shownArguments({
  type,
  place,
  callId,
  name,
  text,
}: Extract<VoiceEvent, { readonly type: 'arguments_delta' | 'arguments_done' }>): Shown {
  const { responseId, itemId, outputIndex } = place;
  const of = { response_id: responseId, item_id: itemId, output_index: outputIndex, call_id: callId };
  return type === 'arguments_delta'
    ? { type: 'response.function_call_arguments.delta', ...of, delta: text }
    : { type: 'response.function_call_arguments.done', ...of, name, arguments: text };
}

export function shownPlace({ responseId, itemId, outputIndex, contentIndex }: OutputPlace) {
  return {
    response_id: responseId,
    item_id: itemId,
    output_index: outputIndex,
    content_index: contentIndex,
  };
}

function shownResponse(response: VoiceResponse, facts: ResponseFacts): Record<string, unknown> {
  const { id, status, reason, output, usage, metadata } = response;
  return {
    object: 'realtime.response',
    id,
    status,
    status_details: status === 'in_progress' ? null : detailsOf(status, reason),
    output: output.map(shownItem),
    conversation_id: facts.conversationId,
    output_modalities: [facts.modality],
    max_output_tokens: facts.mostOutputTokens,
    audio: facts.audio,
    usage: usage ? shownUsage(usage) : null,
    metadata: metadata ?? null,
  };
}

function detailsOf(type: VoiceResponse['status'], reason: string | undefined): Record<string, unknown> {
  if (type === 'failed') return { type, error: { type: 'server_error', code: reason ?? 'server_error' } };
  return { type, ...(reason === undefined ? {} : { reason }) };
}

function shownUsage({ inputTokens, outputTokens }: NonNullable<VoiceResponse['usage']>) {
  return {
    total_tokens: inputTokens + outputTokens,
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    input_token_details: { text_tokens: inputTokens, audio_tokens: 0, image_tokens: 0, cached_tokens: 0 },
    output_token_details: { text_tokens: outputTokens, audio_tokens: 0 },
  };
}
