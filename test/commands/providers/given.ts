import type { Command } from '../../../src/commands/command.ts';
import type { NewEvent } from '../../../src/events/definition.ts';
import type { CatalogModel } from '../../../src/events/providers.ts';
import { fold } from '../../support/given.ts';

export const NOW = Date.UTC(2026, 10, 21, 12);

/** What a command decides after what has happened. */
export function decide<Input, State>(
  command: Command<Input, State>,
  given: readonly NewEvent[],
  input: Input,
  now = NOW,
): readonly NewEvent[] {
  return command.decide(fold(command.state, given), input, { now, newId: () => 'new-id' });
}

export function model(id: string, facts: Partial<CatalogModel> = {}): CatalogModel {
  return {
    id,
    name: id,
    contextLength: 128_000,
    maxOutputTokens: 8_000,
    capabilities: ['chat', 'tool-use', 'streaming'],
    pricing: null,
    deprecatedAt: null,
    ...facts,
  };
}
