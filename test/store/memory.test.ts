import { MemoryAdapter } from '../../src/store/memory/adapter.ts';
import { storeContract } from './contract.ts';

storeContract({
  name: 'memory',
  outlives: false,
  async fresh() {
    return { open: async () => new MemoryAdapter(), dispose: async () => {} };
  },
});
