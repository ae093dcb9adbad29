import type { CapabilitySupport, ModelInfo } from '@anthropic-ai/sdk/resources/models';
import { type Plain, sends } from '../script.ts';

const yes: CapabilitySupport = { supported: true };
const no: CapabilitySupport = { supported: false };

const anthropicCatalog: readonly ModelInfo[] = [
  model('claude-opus-4-6', 'Claude Opus 4.6', 'opus', true),
  model('claude-sonnet-4-6', 'Claude Sonnet 4.6', 'sonnet', true),
  model('claude-haiku-4-5', 'Claude Haiku 4.5', 'haiku', true),
  {
    ...model('claude-3-haiku', 'Claude 3 Haiku', 'haiku', false),
    lifecycle: 'deprecated',
    deprecated_at: '2026-01-01T00:00:00Z',
    retires_at: '2027-01-01T00:00:00Z',
  },
];

export function anthropicModels(path: string, query: URLSearchParams): Plain {
  const id = decodeURIComponent(path.slice('/v1/models/'.length));
  if (id === '') return sends(200, page(query));
  const found = anthropicCatalog.find((info) => info.id === id);
  return found
    ? sends(200, found)
    : sends(404, { type: 'error', error: { type: 'not_found_error', message: `model: ${id}` } });
}

/** `after_id` and `limit` (20 when not given), as the API has them. */
function page(query: URLSearchParams) {
  const start = anthropicCatalog.findIndex(({ id }) => id === query.get('after_id')) + 1;
  const data = anthropicCatalog.slice(start, start + Number(query.get('limit') ?? 20));
  return {
    data,
    has_more: start + data.length < anthropicCatalog.length,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
  };
}

function model(id: string, name: string, line: ModelInfo['line'], thinks: boolean): ModelInfo {
  const thinking: CapabilitySupport = { supported: thinks };
  return {
    type: 'model',
    id,
    display_name: name,
    created_at: '2025-10-01T00:00:00Z',
    deprecated_at: null,
    retires_at: null,
    lifecycle: 'active',
    line,
    max_input_tokens: 200_000,
    max_tokens: thinks ? 64_000 : 4096,
    capabilities: {
      batch: yes,
      citations: yes,
      code_execution: no,
      context_management: {
        supported: false,
        clear_thinking_20251015: null,
        clear_tool_uses_20250919: null,
        compact_20260112: null,
      },
      effort: { supported: false, low: no, medium: no, high: no, max: no, xhigh: null },
      image_input: yes,
      pdf_input: yes,
      server_tools: { supported: false, code_execution: no, web_search: no },
      structured_outputs: thinking,
      thinking: {
        supported: thinks,
        types: { adaptive: thinking, between_tools: no, disabled: yes, enabled: thinking },
      },
    },
  };
}
