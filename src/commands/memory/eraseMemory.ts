import type { MemoryEvent } from '../../events/memory.ts';
import { defineMemoryCommand } from './state.ts';

/** Everything personal of the user, wherever it lies: the keys go, and with them what they opened. */
export const eraseMemory = defineMemoryCommand<object>({
  name: 'memory.eraseMemory',
  decide: (): MemoryEvent[] => [{ type: 'memory.erased', data: {} }],
});
