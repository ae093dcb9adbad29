import { ScriptedGateways } from '../gateways/credentials/scriptedGateway.ts';
import { InProcessService, type ServiceUnderTest } from './service.ts';

/** With gateways that answer by what the key says. */
export function startWith(environment: Record<string, string> = {}) {
  const gateways = new ScriptedGateways();
  const more = { CHAT_RATE_LIMIT: '1000', API_RATE_LIMIT: '1000', ...environment };
  return InProcessService.start(more, { createGateway: gateways.create });
}

/** As a header. */
export async function shownToken(service: ServiceUnderTest): Promise<Record<string, string>> {
  const { body } = await service.get<{ token: string }>('/api/setup-token');
  return { 'x-setup-token': body.token };
}

export const storeKey = (
  service: ServiceUnderTest,
  apiKey: unknown,
  headers: Record<string, string>,
  providerId = 'provider-cloud-a',
) => service.ask('POST', '/api/credentials', { body: { providerId, apiKey }, headers });
