import { z } from 'zod';
import { defineEvent, type EventOf } from './definition.ts';

/** A stored provider key changed; `providerId` is its scope, such as `provider-cloud-a`. Never carries the key. */
export const providerCredentialsUpdated = defineEvent('provider.credentials.updated', {
  data: () => z.object({ providerId: z.string(), action: z.enum(['created', 'rotated', 'deleted']) }),
});

export const credentialEvents = [providerCredentialsUpdated] as const;

export type CredentialEvent = EventOf<(typeof credentialEvents)[number]>;
