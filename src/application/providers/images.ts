import type { ModelRef } from '../../events/providers.ts';
import type { ModelMessage } from '../../gateways/models/gateway.ts';
import { catalogs } from '../../projections/providers/catalogs.ts';
import type { CurrentContext } from './ports.ts';

/** As its catalog says. Of a model that is not known it is found out by asking it. */
export function mayTakeImages({ current }: CurrentContext, { provider, model }: ModelRef): boolean {
  const listed = current?.views.view(catalogs).byProvider[provider]?.models;
  const known = listed?.find(({ id }) => id === model);
  return known === undefined || known.capabilities.includes('vision');
}

/** For a model that takes none: earlier turns of a conversation may have some. */
export function withoutImages(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  return messages.map((message) =>
    message.role === 'user'
      ? { ...message, parts: message.parts.map((part) => (part.type === 'image' ? wasHere : part)) }
      : message,
  );
}

const wasHere = { type: 'text', text: '[An image that you cannot see]' } as const;
