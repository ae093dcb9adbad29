import { type CredentialEvent, providerCredentialsUpdated } from '../../events/credentials.ts';
import { defineCommand } from '../command.ts';

/** What was done to each stored key. */
interface RecordCredentialChanges {
  readonly changes: readonly CredentialEvent['data'][];
}

/**
 * Says what the credential file went through; called after that is durable. The file alone knows which keys there
 * are, so there is nothing to decide: a log that was away meanwhile, or is another by now, cannot know better.
 */
export const recordCredentialChanges = defineCommand({
  name: 'credentials.recordChanges',
  state: { name: 'credentials', version: 1, initial: null, evolve: () => null },
  scope: 'system',
  stream: () => 'credentials',
  decide: (_state, { changes }: RecordCredentialChanges): CredentialEvent[] =>
    changes.map((data) => ({ type: providerCredentialsUpdated.type, data })),
});
