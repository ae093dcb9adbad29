import { isDeepStrictEqual } from 'node:util';
import {
  type ToolServerEvent,
  toolServerChanged,
  toolServerConnected,
  toolServerDisconnected,
  toolServerRemoved,
  toolServersStream,
} from '../../events/tools.ts';
import {
  type KnownToolServer,
  knownBy,
  nameOf,
  type OfferedTools,
  toolServersState,
} from '../../folds/tools/toolServers.ts';
import { defineCommand } from '../command.ts';

/** How a tool server was found: with what it offers, or with why it is not there. */
export type FoundToolServer =
  | OfferedTools
  | { readonly name: string; readonly prefix: string; readonly error: string };

/** What is known already is no news. */
export const recordToolServer = defineCommand({
  name: 'tools.recordServer',
  state: toolServersState,
  scope: 'system',
  stream: toolServersStream,
  decide(state, found: FoundToolServer): ToolServerEvent[] {
    const known = knownBy(state, found.name);
    if ('error' in found) {
      return isDeepStrictEqual(known, found) ? [] : [{ type: toolServerDisconnected.type, data: found }];
    }
    if (!known || 'error' in known) return [{ type: toolServerConnected.type, data: found }];
    return isDeepStrictEqual(known.offer, found) ? [] : [{ type: toolServerChanged.type, data: found }];
  },
});

/** These are all that there are. */
export const keepToolServers = defineCommand({
  name: 'tools.keepServers',
  state: toolServersState,
  scope: 'system',
  stream: toolServersStream,
  decide(
    state: readonly KnownToolServer[],
    { names }: { readonly names: readonly string[] },
  ): ToolServerEvent[] {
    return state
      .map(nameOf)
      .filter((name) => !names.includes(name))
      .map((name) => ({ type: toolServerRemoved.type, data: { name } }));
  },
});
