import { type MemoryEvent, memoryStream } from '../../events/memory.ts';
import { defineCommand } from '../command.ts';
import { type UserMemory, userMemory } from './state.ts';

/** Everything personal of the user, wherever it lies: the keys go, and with them what they opened. */
export const eraseMemory = defineCommand<object, UserMemory>({
  name: 'memory.eraseMemory',
  state: userMemory,
  scope: 'user',
  stream: (_input, userId) => memoryStream(userId),
  decide: (): MemoryEvent[] => [{ type: 'memory.erased', data: {} }],
});
