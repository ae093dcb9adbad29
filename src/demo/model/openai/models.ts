import type { Model } from 'openai/resources/models';
import { type Plain, sends } from '../script.ts';

const openaiCatalog: readonly Model[] = [
  model('gpt-5.2'),
  model('gpt-5-mini'),
  model('gpt-4o'),
  model('gpt-4o-mini'),
  model('text-embedding-3-small'),
  model('whisper-1'),
];

export function openaiModels(path: string): Plain {
  const id = decodeURIComponent(path.slice('/models/'.length));
  if (id === '') return sends(200, { object: 'list', data: openaiCatalog });
  const found = openaiCatalog.find((one) => one.id === id);
  return found
    ? sends(200, found)
    : sends(404, {
        error: {
          message: `The model '${id}' does not exist`,
          type: 'invalid_request_error',
          param: 'model',
          code: 'model_not_found',
        },
      });
}

function model(id: string): Model {
  return { id, object: 'model', created: 1_760_000_000, owned_by: 'system' };
}
