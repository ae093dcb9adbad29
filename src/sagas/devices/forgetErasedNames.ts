import { forgetNames } from '../../application/devices/forgettingNames.ts';
import type { CommandRunner } from '../../commands/runner.ts';
import { memoryErased } from '../../events/memory.ts';
import type { Views } from '../../projections/runtime.ts';
import { defineSaga, type Saga } from '../saga.ts';

/** Where a crash came between the erasure and the names. */
export function forgetErasedNames(
  context: () => { readonly runner: CommandRunner; readonly views: Views },
): Saga {
  return defineSaga({
    name: 'forget-names-of-devices',
    on: [memoryErased],
    retry: { tries: 12, firstPauseMs: 100 },
    key: ({ owner }) => owner,
    react: ({ owner: userId, correlationId, version }) =>
      forgetNames(context(), { userId, correlationId, version }),
  });
}
