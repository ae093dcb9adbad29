import { z } from 'zod';
import { type ErrorCode, errorMessages } from '../../errors.ts';
import { fairShare } from '../../fairShare.ts';
import { openAiErrorBody, speaksOpenAi } from '../openai/errors.ts';
import type { AnyOperation } from '../operation.ts';
import { liesInApi } from './mount.ts';
import { limitOf } from './rateLimits.ts';
import { statuses } from './statuses.ts';

type Json = Record<string, unknown>;

/** What every operation may be refused for, beside what it declares. */
const ALWAYS: readonly ErrorCode[] = ['INTERNAL', 'NOT_READY'];
const WITH_INPUT: readonly ErrorCode[] = ['VALIDATION_FAILED'];
const WITH_BODY: readonly ErrorCode[] = ['INVALID_JSON', 'UNSUPPORTED_MEDIA_TYPE'];

/** The whole API as OpenAPI 3.1, drawn from the operations, whose schemas are built for it: others have their turn between. */
export async function describe(
  operations: readonly AnyOperation[],
  version: string,
  notice: string | undefined,
): Promise<Json> {
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    await fairShare();
    const path = operation.rest.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [operation.rest.method.toLowerCase()]: describeOperation(operation) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'hark',
      version,
      summary: 'A self-hosted agent backend on a log of events.',
      description:
        (notice === undefined ? '' : `${notice} `) +
        'A body above 1 MB gets no answer: the connection is closed. Every answer carries `X-Correlation-Id`. ' +
        'With `Idempotency-Key`, a repeated change changes nothing the second time.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: [...new Set(operations.map(({ area }) => area))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes,
      schemas: { Error: errorSchema, OpenAiError: toSchema(openAiErrorBody(), 'output') },
      headers: headerObjects,
    },
  };
}

const securitySchemes: Json = {
  apiKey: { type: 'http', scheme: 'bearer', description: 'The value of SERVICE_API_KEY, when one is set.' },
  deviceId: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Device-Id',
    description: 'With `X-Device-Secret`, in place of the key. `x-device-access` says what a device may.',
  },
  deviceSecret: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Device-Secret',
    description: 'The secret of the device, or the token that it was given for its signature.',
  },
};

const errorSchema: Json = {
  type: 'object',
  required: ['error'],
  properties: {
    error: { type: 'string' },
    message: { type: 'string' },
    issues: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: {
          path: { type: 'array', items: { type: ['string', 'integer'] } },
          message: { type: 'string' },
        },
      },
    },
    retryAfter: { type: 'integer', description: 'Seconds' },
  },
};

function headerObject(description: string, type = 'integer'): Json {
  return { description, schema: { type } };
}

const headerObjects: Json = {
  CorrelationId: headerObject('Identifies this request in everything that it causes', 'string'),
  RateLimitRemaining: headerObject('Requests left for this address'),
  RateLimitLimit: headerObject('Requests a minute for one address'),
  RateLimitReset: headerObject('Seconds until the limit is whole again'),
  RetryAfter: headerObject('Seconds to wait'),
};

function headers(names: Readonly<Record<string, string>>): Json {
  return Object.fromEntries(
    Object.entries(names).map(([header, name]) => [header, { $ref: `#/components/headers/${name}` }]),
  );
}

function describeOperation(operation: AnyOperation): Json {
  const { name, area, summary, rest, device } = operation;
  const description = descriptionOf(operation);
  const isGuarded = liesInApi(rest.path) && rest.access !== 'open';
  const isForDevices = device !== 'never' && device !== 'proof';
  return {
    operationId: name,
    tags: [area],
    summary,
    ...(description === undefined ? {} : { description }),
    ...describeInput(operation),
    security: isGuarded
      ? [{ apiKey: [] }, ...(isForDevices ? [{ deviceId: [], deviceSecret: [] }] : []), {}]
      : [],
    'x-device-access': device,
    responses: { [String(rest.status ?? 200)]: describeAnswer(operation), ...refusals(operation, isGuarded) },
  };
}

function descriptionOf({ description, rest }: AnyOperation): string | undefined {
  if (rest.isPowerful !== true) return description;
  const forOwnPages = 'While no API key is configured, requests from pages of other origins are refused.';
  return description === undefined ? forOwnPages : `${description} ${forOwnPages}`;
}

const named: Json = {
  name: 'named',
  in: 'query',
  required: false,
  description: 'False leaves out the names of messages, for clients that only know `onmessage`',
  schema: { type: 'boolean', default: true },
};

function describeInput({ input, rest, example, kind }: AnyOperation): Json {
  const { properties = {}, required = [], ...schema } = toSchema(input(), 'input');
  const fields = Object.entries(isJson(properties) ? properties : {});
  const needed = Array.isArray(required) ? required : [];
  const inPath = new Set(Array.from(rest.path.matchAll(/:(\w+)/g), ([, name = '']) => name));
  const given = new Map(Object.entries(example.input));
  const inBody = rest.method === 'POST' || rest.method === 'PUT';
  const inHeaders = Object.entries(rest.headers ?? {}).map(([name, about]) => ({
    name,
    in: 'header',
    required: false,
    description: about,
    schema: { type: 'string' },
  }));
  const inAddress = fields
    .filter(([name]) => inPath.has(name) || !inBody)
    .map(([name, fieldSchema]) => ({
      name,
      in: inPath.has(name) ? 'path' : 'query',
      required: inPath.has(name) || needed.includes(name),
      schema: fieldSchema,
      ...(given.has(name) ? { example: given.get(name) } : {}),
    }));
  const parameters = [...inAddress, ...(kind === 'stream' ? [named] : []), ...inHeaders];
  const bodyFields = Object.fromEntries(fields.filter(([name]) => !inPath.has(name)));
  const hasBody = inBody && (Object.keys(bodyFields).length > 0 || input().def.catchall || rest.strict);
  if (!hasBody) return { parameters };
  const bodyRequired = needed.filter((name) => !inPath.has(String(name)));
  const bodyExample = Object.fromEntries([...given].filter(([name]) => !inPath.has(name)));
  const bodySchema = { ...schema, properties: bodyFields, required: bodyRequired };
  return { parameters, requestBody: { required: true, ...content(bodySchema, bodyExample) } };
}

function describeAnswer(operation: AnyOperation): Json {
  const limited = limitOf(operation.rest.path)
    ? headers({ 'X-RateLimit-Remaining': 'RateLimitRemaining' })
    : {};
  const answerHeaders = { ...headers({ 'X-Correlation-Id': 'CorrelationId' }), ...limited };
  const stream = { 'text/event-stream': { schema: { type: 'string' } } };
  if (operation.kind === 'stream')
    return { description: eventsOf(operation.message()), headers: answerHeaders, content: stream };
  const type = operation.rest.text?.split(';', 1)[0] ?? 'application/json';
  if (operation.kind === 'text') {
    const schema = operation.output ? toSchema(operation.output(), 'output') : { type: 'string' };
    return { description: 'Done', headers: answerHeaders, content: { [type]: { schema } } };
  }
  const whole = content(toSchema(operation.output(), 'output'), operation.example.output, type);
  if (operation.kind === 'call') return { description: 'Done', headers: answerHeaders, ...whole };
  const description = `Done. As a stream: ${eventsOf(operation.message())}`;
  return { description, headers: answerHeaders, content: { ...whole.content, ...stream } };
}

function eventsOf(message: z.ZodType): string {
  return `Server-sent events; the data of each is: ${JSON.stringify(toSchema(message, 'output'))}`;
}

function refusals({ rest, input, errors: own }: AnyOperation, isGuarded: boolean): Json {
  const errors = speaksOpenAi(rest.path) ? 'OpenAiError' : 'Error';
  const hasInput = Object.keys(input().shape).length > 0 || input().def.catchall || rest.strict;
  const codes: ErrorCode[] = [...ALWAYS, ...own];
  if (hasInput) codes.push(...WITH_INPUT);
  if (hasInput && (rest.method === 'POST' || rest.method === 'PUT')) codes.push(...WITH_BODY);
  if (rest.path.includes(':') && !rest.takesNames) codes.push('INVALID_ID');
  if (isGuarded) codes.push('UNAUTHORIZED', 'DEVICE_SCOPE');
  codes.push('FORBIDDEN', 'MISDIRECTED');
  if (limitOf(rest.path)) codes.push('TOO_MANY_REQUESTS');
  const byStatus = Map.groupBy(new Set(codes), (code) => statuses[code]);
  return Object.fromEntries(
    Array.from(byStatus, ([status, grouped]) => [
      String(status),
      {
        description: grouped.map((code) => errorMessages[code]).join('; '),
        headers: status === 429 ? limitHeaderRefs : {},
        content: { 'application/json': { schema: { $ref: `#/components/schemas/${errors}` } } },
      },
    ]),
  );
}

const limitHeaderRefs = headers({
  'Retry-After': 'RetryAfter',
  'X-RateLimit-Limit': 'RateLimitLimit',
  'X-RateLimit-Remaining': 'RateLimitRemaining',
  'X-RateLimit-Reset': 'RateLimitReset',
});

function content(schema: Json, example: unknown, type = 'application/json'): { content: Json } {
  return { content: { [type]: { schema, ...(example === undefined ? {} : { example }) } } };
}

function toSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    ...{ io, unrepresentable: 'any' },
    // Readers of OpenAPI want to be told of the items of a list, also where each has its own schema.
    override({ jsonSchema }) {
      const { prefixItems } = jsonSchema;
      if (!prefixItems) return;
      Object.assign(jsonSchema, { items: {}, minItems: prefixItems.length, maxItems: prefixItems.length });
    },
  });
  return rest;
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
