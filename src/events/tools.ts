import { z } from 'zod';
import { lazily } from '../lazily.ts';
import { defineEvent, type EventOf, readerOf } from './definition.ts';

const name = lazily(() => z.string());

/** What a tool server that is connected offers. Its own words are not among it. */
const offer = lazily(() =>
  z.object({
    name: name(),
    prefix: z.string(),
    /** Of the protocol. */
    version: z.string().exactOptional(),
    /** How many can be used. */
    tools: z.number(),
    /** The first of them in alphabetical order, by the names by which models call them. */
    names: z.array(z.string()).readonly(),
    /** How many it has that cannot be used. */
    refused: z.number(),
  }),
);

export const toolServerConnected = defineEvent('tools.server.connected', { data: offer });

/** It was connected already, and offers other tools now. */
export const toolServerChanged = defineEvent('tools.server.changed', { data: offer });

/** It cannot be reached, or not any more. */
export const toolServerDisconnected = defineEvent('tools.server.disconnected', {
  data: () => z.object({ name: name(), prefix: z.string(), error: z.string() }),
});

/** Neither the file nor the settings name it any more. */
export const toolServerRemoved = defineEvent('tools.server.removed', {
  data: () => z.object({ name: name() }),
});

export const toolServerEvents = [
  toolServerConnected,
  toolServerChanged,
  toolServerDisconnected,
  toolServerRemoved,
] as const;

export type ToolServerEvent = EventOf<(typeof toolServerEvents)[number]>;

export const readToolServerEvent = readerOf(toolServerEvents);

export function toolServersStream(): string {
  return 'tool-servers';
}
