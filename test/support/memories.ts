import assert from 'node:assert/strict';
import type { InProcessService } from './service.ts';

interface Believed {
  readonly id: string;
  readonly text: string;
  readonly confidence?: number;
  readonly contradicts?: readonly string[];
  readonly at?: number;
  readonly status?: 'active' | 'pruned' | 'merged';
  readonly supersededBy?: string;
}

/** Brings beliefs as they stand in an export: with their ids, their age and what they contradict. */
export async function bringBeliefs(
  service: Pick<InProcessService, 'ask'>,
  beliefs: readonly Believed[],
): Promise<void> {
  const content = beliefs.map((one) => JSON.stringify(lineOf(one))).join('\n');
  const { status, text } = await service.ask('POST', '/api/memory/import', {
    body: { source: 'export', content },
  });
  assert.equal(status, 200, text);
}

function lineOf({ at = 1_700_000_000_000, ...given }: Believed) {
  const times = { createdAt: at, updatedAt: at, lastEvidenceAt: at };
  return {
    ...{ kind: 'conclusion', type: 'explicit', confidence: 0.9, sources: [], turnIds: [], about: null },
    ...{ by: 'user', stale: false, status: 'active', supersededBy: null, contradicts: [] },
    ...times,
    ...given,
  };
}
