import type { EventOf, PastEvent } from '../../events/definition.ts';
import { readToolServerEvent, type toolServerConnected } from '../../events/tools.ts';
import type { StreamFold } from '../streamFold.ts';

export type OfferedTools = EventOf<typeof toolServerConnected>['data'];

/** What is known of a tool server: what it offers, or why it is not connected. */
export type KnownToolServer =
  | { readonly offer: OfferedTools; readonly connectedAt: number }
  | { readonly name: string; readonly prefix: string; readonly error: string };

/** In the order in which they became known. An array, since a server may be called `__proto__`. */
export const toolServersState: StreamFold<readonly KnownToolServer[]> = {
  name: 'tool-servers',
  version: 1,
  initial: [],
  evolve(state, past: PastEvent) {
    const event = readToolServerEvent(past);
    switch (event?.type) {
      case 'tools.server.connected':
        return withOne(state, { offer: event.data, connectedAt: past.at });
      case 'tools.server.changed': {
        const { connectedAt = past.at } = offeredBy(knownBy(state, event.data.name)) ?? {};
        return withOne(state, { offer: event.data, connectedAt });
      }
      case 'tools.server.disconnected':
        return withOne(state, event.data);
      case 'tools.server.removed':
        return state.filter((one) => nameOf(one) !== event.data.name);
      default:
        return state;
    }
  },
};

export function nameOf(one: KnownToolServer): string {
  return 'offer' in one ? one.offer.name : one.name;
}

export function knownBy(state: readonly KnownToolServer[], name: string): KnownToolServer | undefined {
  return state.find((one) => nameOf(one) === name);
}

/** Undefined while it is not connected. */
function offeredBy(one: KnownToolServer | undefined) {
  return one && 'offer' in one ? one : undefined;
}

function withOne(state: readonly KnownToolServer[], one: KnownToolServer): readonly KnownToolServer[] {
  const name = nameOf(one);
  if (!knownBy(state, name)) return [...state, one];
  return state.map((each) => (nameOf(each) === name ? one : each));
}
