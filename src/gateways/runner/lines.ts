/** No message of a runner is as long; what is, is none. */
const LONGEST_LINE = 1_048_576;

/** The lines of a body as they come. Throws for one that does not end. */
export async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of body) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > LONGEST_LINE) throw new TypeError('A line without an end');
    for (const line of lines) if (line.trim()) yield line;
  }
  if (rest.trim()) yield rest;
}
