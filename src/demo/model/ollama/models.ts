import type { ModelRequest } from '../request.ts';
import { type Plain, sends } from '../script.ts';
import { ollamaRefusal } from './failures.ts';

export interface InstalledModel {
  readonly name: string;
  readonly family: string;
  readonly bytes: number;
  readonly context: number;
  readonly capabilities: readonly string[];
}

const ollamaCatalog: readonly InstalledModel[] = [
  {
    name: 'qwen3:8b',
    family: 'qwen3',
    bytes: 5_225_388_164,
    context: 40_960,
    capabilities: ['completion', 'tools', 'thinking'],
  },
  {
    name: 'llava:7b',
    family: 'llama',
    bytes: 4_733_363_377,
    context: 32_768,
    capabilities: ['completion', 'vision'],
  },
  {
    name: 'nomic-embed-text:latest',
    family: 'nomic-bert',
    bytes: 274_302_450,
    context: 2048,
    capabilities: ['embedding'],
  },
];

const DIGEST = '0a109f422b47e3a30ba2b10eca18548e944e8a23073ee3f3e947efcf3c45e59f';
const LAYER_BYTES = 1000;

export function ollamaUnscripted(request: ModelRequest): Plain | undefined {
  return ollamaWith(ollamaCatalog, request);
}

/** As a runner on which these are installed answers; the first of them runs. */
export function ollamaWith(installed: readonly InstalledModel[], request: ModelRequest): Plain | undefined {
  switch (request.endpoint) {
    case 'version':
      return sends(200, { version: '0.31.2' });
    case 'models':
      return sends(200, { models: installed.map(listed) });
    case 'running':
      return sends(200, { models: installed.slice(0, 1).map(running) });
    case 'show':
      return show(installed, request.model);
    case 'pull':
      return pull(request.stream);
    default:
      return undefined;
  }
}

function listed(model: InstalledModel) {
  return {
    name: model.name,
    model: model.name,
    modified_at: '2026-01-01T00:00:00Z',
    size: model.bytes,
    digest: DIGEST,
    details: detailsOf(model),
  };
}

function running(model: InstalledModel) {
  const { modified_at, ...rest } = listed(model);
  return {
    ...rest,
    expires_at: '2026-01-02T00:00:00Z',
    size_vram: model.bytes,
    context_length: model.context,
  };
}

function show(installed: readonly InstalledModel[], name: string): Plain {
  const model = installed.find((one) => one.name === name || one.name === `${name}:latest`);
  if (!model) {
    const refusal = ollamaRefusal('model-unknown', {
      model: name,
      apiKey: undefined,
      retryAfterSeconds: undefined,
    });
    return sends(refusal.status, refusal.body);
  }
  return sends(200, {
    license: '',
    modelfile: `FROM ${model.name}`,
    parameters: '',
    template: '{{ .Prompt }}',
    details: detailsOf(model),
    model_info: { 'general.architecture': model.family, [`${model.family}.context_length`]: model.context },
    capabilities: model.capabilities,
    modified_at: '2026-01-01T00:00:00Z',
  });
}

/** Of one layer, in quarters. */
function pull(stream: boolean): Plain {
  const digest = `sha256:${DIGEST}`;
  const layer = { status: `pulling ${DIGEST.slice(0, 12)}`, digest, total: LAYER_BYTES };
  const lines = [
    { status: 'pulling manifest' },
    layer,
    ...[1, 2, 3, 4].map((quarter) => ({ ...layer, completed: (quarter * LAYER_BYTES) / 4 })),
    { status: 'verifying sha256 digest' },
    { status: 'writing manifest' },
    { status: 'success' },
  ];
  if (!stream) return sends(200, { status: 'success' });
  const body = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  return sends(200, body, { 'content-type': 'application/x-ndjson' });
}

function detailsOf({ family }: InstalledModel) {
  return {
    parent_model: '',
    format: 'gguf',
    family,
    families: [family],
    parameter_size: '8B',
    quantization_level: 'Q4_K_M',
  };
}
