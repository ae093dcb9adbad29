import type { ProviderId } from '../../vocabulary.ts';
import { AnthropicGateway } from './anthropic.ts';
import type { GatewayOptions, ModelGateway } from './gateway.ts';
import { OllamaGateway } from './ollama.ts';
import { OpenAiGateway } from './openai.ts';
import { OpenRouterGateway } from './openrouter.ts';

/** Costs nothing: the provider's SDK is loaded when it is first asked. */
export function createGateway(providerId: ProviderId, options: GatewayOptions): ModelGateway {
  switch (providerId) {
    case 'cloud-a':
      return new AnthropicGateway(options);
    case 'cloud-b':
      return new OpenAiGateway(options);
    case 'gateway':
      return new OpenRouterGateway(options);
    case 'local-runner':
      return new OllamaGateway(options);
  }
}
