import { randomBytes } from 'node:crypto';
import type { ContentPart, ConversationItem } from '../../../application/voice/conversation.ts';
import type { GivenItem, GivenPart } from './itemShapes.ts';
import { WireError } from './wireError.ts';

export function shownItem(item: ConversationItem): Record<string, unknown> {
  const { id, type, status } = item;
  const shown = { id, object: 'realtime.item', type, status };
  switch (item.type) {
    case 'message':
      return { ...shown, role: item.role, content: item.content.map(shownPart) };
    case 'function_call':
      return { ...shown, call_id: item.callId, name: item.name, arguments: item.arguments };
    case 'function_call_output':
      return { ...shown, call_id: item.callId, output: item.output };
  }
}

function shownPart(part: ContentPart): Record<string, unknown> {
  if (part.type !== 'input_image') return { ...part };
  return { type: part.type, image_url: `data:${part.mimeType};base64,${part.base64}` };
}

/** While it is being put out it goes by shorter names. */
export function outputPart(part: ContentPart): Record<string, unknown> {
  return 'transcript' in part
    ? { type: 'audio', transcript: part.transcript ?? '' }
    : { type: 'text', text: 'text' in part ? part.text : '' };
}

export function itemOf(given: GivenItem): ConversationItem {
  const id = given.id ?? `item_${randomBytes(12).toString('hex')}`;
  const status = 'completed';
  switch (given.type) {
    case 'function_call':
      return {
        ...{ id, status, type: 'function_call' as const },
        callId: given.call_id ?? `call_${randomBytes(12).toString('hex')}`,
        name: given.name,
        arguments: given.arguments,
      };
    case 'function_call_output':
      return { id, status, type: 'function_call_output', callId: given.call_id, output: given.output };
    case 'message': {
      const { role } = given;
      const content = given.content.map((part, at) => partOf(part, role, `item.content[${at}]`));
      return { id, status, type: 'message', role, content };
    }
  }
}

function partOf(part: GivenPart, role: string, param: string): ContentPart {
  const isOwn = role === 'assistant';
  switch (part.type) {
    case 'input_text':
    case 'output_text':
    case 'text':
      return isOwn ? { type: 'output_text', text: part.text } : { type: 'input_text', text: part.text };
    case 'input_audio':
    case 'output_audio':
    case 'audio': {
      const { transcript } = part;
      // Recordings are heard through the buffer, where they become words.
      if (typeof transcript !== 'string')
        throw new WireError(
          'invalid_value',
          'Audio without its transcript goes through input_audio_buffer.append and .commit',
          { param },
        );
      return isOwn ? { type: 'output_audio', transcript } : { type: 'input_audio', transcript };
    }
    case 'input_image': {
      const [, mimeType = '', base64 = ''] = /^data:([^;,]+);base64,(.*)$/is.exec(part.image_url) ?? [];
      return { type: 'input_image', mimeType: mimeType.toLowerCase(), base64 };
    }
  }
}
