import { JSONRPCErrorResponseSchema, JSONRPCResultResponseSchema } from '@modelcontextprotocol/core';
import type { z } from 'zod';

/*
 * The SDK asks of each message first whether it is a response, by these schemas. That a request is none cost more than
 * most calls: zod's answer is an object with an accessor, which V8 keeps among what is old, and with it all that the
 * answer knows of the message, until the whole heap is collected. To that end all requests were copied twice, in
 * pauses of 30 ms. What has a method is no response, and nobody has to look further.
 */

refuseWithMethod(JSONRPCResultResponseSchema);
refuseWithMethod(JSONRPCErrorResponseSchema);

function refuseWithMethod<Response>(schema: z.ZodType<Response>): void {
  const parse = schema.safeParse.bind(schema);
  const refused = parse({ method: '' });
  schema.safeParse = (data, params) => (hasMethod(data) ? refused : parse(data, params));
}

function hasMethod(data: unknown): boolean {
  return typeof data === 'object' && data !== null && Object.hasOwn(data, 'method');
}
