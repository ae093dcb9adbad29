import { type Capability, capabilities } from '../../vocabulary.ts';
import type { ListedModel } from './gateway.ts';

/** What is known of a model in the providers' terms. Whatever is missing is not known, or not so. */
export interface KnownModel {
  readonly id: string;
  readonly name?: string | undefined;
  readonly contextLength?: number | undefined;
  readonly maxOutputTokens?: number | undefined;
  readonly inputPer1M?: number | undefined;
  readonly outputPer1M?: number | undefined;
  readonly deprecatedAt?: string | undefined;
  /** Makes text of text. */
  readonly talks?: boolean | undefined;
  readonly takesTools?: boolean | undefined;
  readonly sees?: boolean | undefined;
  readonly thinks?: boolean | undefined;
  /** Can be held to a schema. */
  readonly structured?: boolean | undefined;
  readonly embeds?: boolean | undefined;
}

export function catalogModel(known: KnownModel): ListedModel {
  const { inputPer1M, outputPer1M } = known;
  return {
    id: known.id,
    name: known.name ?? known.id,
    contextLength: known.contextLength ?? null,
    maxOutputTokens: known.maxOutputTokens ?? null,
    capabilities: capabilitiesOf(known),
    pricing: inputPer1M === undefined || outputPer1M === undefined ? null : { inputPer1M, outputPer1M },
    deprecatedAt: known.deprecatedAt ?? null,
  };
}

/**
 * Providers speak of five or six of the thirteen. The rest follows: what talks can write, summarize and classify;
 * a model that thinks is one for reasoning; and contradictions are judged in structured answers.
 */
function capabilitiesOf({
  talks,
  takesTools,
  sees,
  thinks,
  structured,
  embeds,
}: KnownModel): readonly Capability[] {
  const has = new Set<Capability>();
  const add = (condition: boolean | undefined, ...what: readonly Capability[]) => {
    if (condition) for (const one of what) has.add(one);
  };
  add(talks, 'chat', 'streaming', 'coding', 'creative', 'summarization', 'classification');
  add(takesTools, 'tool-use');
  add(sees, 'vision');
  add(thinks, 'reasoning', 'thinking');
  add(structured, 'json', 'contradiction');
  add(embeds, 'embedding');
  return capabilities.filter((one) => has.has(one));
}
