import { type AskOptions, type Input, type Message, type OperationName, send } from './ask.ts';

/** What the service said at once: the field names are those of server-sent events. */
export interface Told<Data> {
  readonly id?: string | undefined;
  readonly event?: string | undefined;
  readonly data: Data;
}

/** The messages of a stream, until it ends or the signal says so. A stream that breaks throws. */
export async function* listen<Name extends OperationName>(
  name: Name,
  input: Input<Name>,
  options: AskOptions & { readonly onHeaders?: (headers: Headers) => void } = {},
): AsyncGenerator<Told<Message<Name>>> {
  const answer = await send(name, input, {
    ...options,
    headers: { accept: 'text/event-stream', ...options.headers },
  });
  options.onHeaders?.(answer.headers);
  if (!answer.body) return;
  let rest = '';
  for await (const text of textOf(answer.body)) {
    const blocks = (rest + text).split(/\r?\n\r?\n/);
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const told = messageOf<Message<Name>>(block);
      if (told) yield told;
    }
  }
}

async function* textOf(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function messageOf<Data>(block: string): Told<Data> | undefined {
  const fields = new Map<string, string>();
  for (const line of block.split(/\r?\n/)) {
    const [, name = '', value = ''] = /^(\w+): ?(.*)$/.exec(line) ?? [];
    if (name !== '') fields.set(name, fields.has(name) ? `${fields.get(name)}\n${value}` : value);
  }
  const data = fields.get('data');
  if (data === undefined || data === '[DONE]') return undefined;
  return { id: fields.get('id'), event: fields.get('event'), data: JSON.parse(data) };
}
