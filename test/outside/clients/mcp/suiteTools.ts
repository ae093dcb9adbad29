import { ToolInputError } from '../../../../src/application/chat/tool.ts';
import { ToolParts } from '../../../../src/application/chat/toolOutput.ts';
import type { ToolRegistry } from '../../../../src/application/chat/toolRegistry.ts';
import { tool } from '../../../support/tools.ts';

/** The smallest there are. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAgD4AAAB9AAACABAAZGF0YQAAAAA=';

const text = { type: 'text', text: 'A text' } as const;
const image = { type: 'image', data: PNG, mimeType: 'image/png' } as const;
const resource = {
  type: 'resource',
  resource: { uri: 'test://one', mimeType: 'text/plain', text: 'A resource' },
} as const;

/** The tools that the conformance suite calls: by their names it finds out how a server carries what tools do. */
export function registerSuiteTools(registry: ToolRegistry): void {
  let changes = 0;
  registry.register(
    'suite',
    ...suiteTools,
    tool('test_trigger_tool_change', {
      async run() {
        registry.replace('suite that changes', [tool(`test_changed_${++changes}`)]);
        return 'Done';
      },
    }),
  );
}

const suiteTools = [
  tool('test_simple_text', { run: async () => 'A text' }),
  tool('test_image_content', { run: async () => new ToolParts([image]) }),
  tool('test_audio_content', {
    run: async () => new ToolParts([{ type: 'audio', data: WAV, mimeType: 'audio/wav' }]),
  }),
  tool('test_embedded_resource', { run: async () => new ToolParts([resource]) }),
  tool('test_multiple_content_types', { run: async () => new ToolParts([text, image, resource]) }),
  tool('test_error_handling', {
    run: async () => {
      throw new ToolInputError('This one always fails');
    },
  }),
  tool('test_tool_with_progress', {
    reports: true,
    run: async ({ report }) => {
      for (const progress of [0, 50, 100]) report?.({ progress, total: 100 });
      return 'Done';
    },
  }),
  tool('json_schema_2020_12_tool', {
    input: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: {
        address: {
          $anchor: 'addressDef',
          type: 'object',
          properties: { street: { type: 'string' }, city: { type: 'string' } },
        },
      },
      properties: {
        name: { type: 'string' },
        address: { $ref: '#/$defs/address' },
        contactMethod: { type: 'string', enum: ['phone', 'email'] },
        phone: { type: 'string' },
        email: { type: 'string' },
      },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
      // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema.
      then: { required: ['phone'] },
      else: { required: ['email'] },
      additionalProperties: false,
    },
  }),
];
