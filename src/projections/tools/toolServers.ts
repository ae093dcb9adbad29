import { toolServersStream } from '../../events/tools.ts';
import { foldedUntil } from '../../folds/streamFold.ts';
import { type KnownToolServer, toolServersState } from '../../folds/tools/toolServers.ts';
import type { EventReader } from '../../store/port.ts';

interface ToolServerThen {
  readonly name: string;
  readonly prefix: string;
  readonly state: 'connected' | 'disconnected';
  readonly version?: string;
  readonly tools: number;
  readonly refused: number;
  readonly connectedAt?: number;
  readonly error?: string;
}

/** The tool servers as the log knew them at a moment. */
export async function toolServersAt(store: EventReader, time: number): Promise<readonly ToolServerThen[]> {
  return (await foldedUntil(store, toolServersState, toolServersStream(), { time })).map(shown);
}

function shown(one: KnownToolServer): ToolServerThen {
  if (!('offer' in one)) return { ...one, state: 'disconnected', tools: 0, refused: 0 };
  const { names: _names, ...offer } = one.offer;
  return { ...offer, state: 'connected', connectedAt: one.connectedAt };
}
