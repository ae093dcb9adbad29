import type { KnownCatalog } from '../reviewSlots.ts';
import type { Wish } from './chooseSlots.ts';
import { cloudProviders, type Offer } from './offer.ts';

/**
 * What is wished for when nobody said: the first configured cloud that offers a model for chat, backed by other
 * clouds, else by the local runner; the local runner alone where no cloud is configured. Undefined when nothing
 * is there to answer.
 */
export function firstWish({ catalogs, configured }: Offer): Wish | undefined {
  const clouds = cloudProviders.filter((cloud) => configured.includes(cloud));
  const hasLocal = hasChat(catalogs['local-runner']);
  const provider = clouds.find((cloud) => hasChat(catalogs[cloud])) ?? clouds[0];
  if (!provider)
    return hasLocal ? { mode: 'local', provider: cloudProviders[0], strategy: 'none' } : undefined;
  if (clouds.length > 1) return { mode: 'cloud', provider, strategy: 'cloud-backup' };
  return { mode: 'cloud', provider, strategy: hasLocal ? 'ollama-local' : 'cloud-backup' };
}

function hasChat(catalog: KnownCatalog | undefined): boolean {
  return catalog?.models.some(({ capabilities }) => capabilities.includes('chat')) ?? false;
}
