/** A model as `/models` lists it; prices are US dollars for one token, as text. */
interface OpenrouterModel {
  readonly id: string;
  readonly name: string;
  readonly created: number;
  readonly context_length: number;
  readonly architecture: {
    readonly modality: string;
    readonly input_modalities: readonly string[];
    readonly output_modalities: readonly string[];
    readonly tokenizer: string;
  };
  readonly pricing: Readonly<Record<string, string>>;
  readonly top_provider: {
    readonly context_length: number;
    readonly max_completion_tokens: number | null;
    readonly is_moderated: boolean;
  };
  readonly supported_parameters: readonly string[];
  readonly expiration_date?: string | null;
}

const always = ['max_tokens', 'temperature', 'top_p', 'stop'];
const tools = ['tools', 'tool_choice'];
const schemas = ['response_format', 'structured_outputs'];
const thinking = ['reasoning', 'include_reasoning'];

export const openrouterCatalog: readonly OpenrouterModel[] = [
  model(
    'anthropic/claude-sonnet-4.6',
    '0.000003',
    '0.000015',
    ['text', 'image'],
    [...tools, ...schemas, ...thinking],
  ),
  model(
    'openai/gpt-5-mini',
    '0.00000025',
    '0.000002',
    ['text', 'image', 'file'],
    [...tools, ...schemas, ...thinking],
  ),
  model('qwen/qwen3-coder', '0.00000022', '0.00000095', ['text'], [...tools, ...schemas]),
  model('meta-llama/llama-3.3-70b-instruct:free', '0', '0', ['text'], []),
  { ...model('old/model', '0.000001', '0.000001', ['text'], []), expiration_date: '2027-01-01' },
];

function model(
  id: string,
  prompt: string,
  completion: string,
  inputs: readonly string[],
  parameters: readonly string[],
): OpenrouterModel {
  return {
    id,
    name: id,
    created: 1_760_000_000,
    context_length: 131_072,
    architecture: {
      modality: `${inputs.join('+')}->text`,
      input_modalities: inputs,
      output_modalities: ['text'],
      tokenizer: 'Other',
    },
    pricing: { prompt, completion, request: '0', image: '0' },
    top_provider: { context_length: 131_072, max_completion_tokens: 32_768, is_moderated: false },
    supported_parameters: [...always, ...parameters],
    expiration_date: null,
  };
}
