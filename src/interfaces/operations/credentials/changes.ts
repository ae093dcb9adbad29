import { z } from 'zod';
import { recordCredentialChanges } from '../../../commands/credentials/recordCredentialChanges.ts';
import type { Config } from '../../../config.ts';
import { lazily } from '../../../lazily.ts';
import type { Kvstore } from '../../kvstore.ts';
import type { Caller } from '../../operation.ts';
import type { SetupTokens } from '../../setupTokens.ts';

export const area = 'credentials';
export const nothing = lazily(() => z.object({}));

/** Providers whose key can be stored. The local runner has none, and can only be tried. */
export const storableScopes = ['provider-cloud-a', 'provider-cloud-b', 'provider-gateway'] as const;
export const triableScopes = [...storableScopes, 'provider-local-runner'] as const;

/** What hangs on to a pasted key at its ends is taken off; a key has nothing else but printable characters. */
export const apiKey = lazily(() =>
  z
    .string()
    .trim()
    .min(1, 'The key is empty')
    .max(256, 'A key has at most 256 characters')
    .regex(/^[\x21-\x7e]+$/, 'A key has no spaces, line ends, control characters or accents inside'),
);

export const done = lazily(() =>
  z.object({
    success: z.literal(true),
    providerId: z.string(),
    recorded: z
      .literal(false)
      .optional()
      .describe(
        'There and false when the event could not be written; the change itself was made all the same',
      ),
  }),
);

/** The stored keys; each change resolves when it would survive a crash. */
interface StoredKeys {
  keys(): Promise<ReadonlyMap<string, string>>;
  store(providerId: string, apiKey: string): Promise<'created' | 'rotated' | 'unchanged'>;
  remove(providerId: string): Promise<boolean>;
  clear(): Promise<readonly string[]>;
}

/** Asks a provider with this key, and keeps nothing. */
type TryKey = (
  scope: (typeof triableScopes)[number],
  apiKey: string | undefined,
  signal: AbortSignal,
) => Promise<{ readonly valid: boolean; readonly error?: string }>;

export interface CredentialDependencies {
  readonly config: Config;
  readonly kvstore: Kvstore;
  readonly credentials: StoredKeys;
  readonly setupTokens: SetupTokens;
  readonly tryKey: TryKey;
  /** Told when a change was made that the log does not know of. */
  readonly onUnrecorded: (error: unknown) => void;
}

type Change = Parameters<(typeof recordCredentialChanges)['decide']>[1]['changes'][number];

export async function isRepeated(
  { kvstore }: CredentialDependencies,
  { commandId }: Caller,
): Promise<boolean> {
  if (commandId === undefined) return false;
  // Without the log nobody knows, and doing it once more does the same.
  return (await kvstore.current?.store.findCommand(commandId).catch(() => undefined)) !== undefined;
}

/**
 * Tells the log what was done to the file. The file is what counts, so that a log that is away undoes nothing and
 * is only said to have missed it.
 */
export async function record(
  { kvstore, onUnrecorded }: CredentialDependencies,
  changes: readonly Change[],
  caller: Caller,
): Promise<{ recorded?: false }> {
  if (changes.length === 0) return {};
  try {
    await kvstore.connected().runner.run(recordCredentialChanges, { changes }, caller);
    return {};
  } catch (error) {
    onUnrecorded(error);
    return { recorded: false };
  }
}
