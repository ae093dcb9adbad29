const LINE_END = 10;
const CARRIAGE_RETURN = 13;

/**
 * What a server sends beyond this many bytes breaks the answer off. A stream of news has no end: there it counts for
 * each message, or one that never ends would fill the memory.
 */
export function boundedFetch(most: number): typeof fetch {
  return async (input, init) => {
    const answer = await fetch(input, init);
    if (!answer.body) return answer;
    const sizeAfter = init?.method === 'POST' ? sizeOfAll() : sizeOfMessage();
    const bounded = answer.body.pipeThrough(
      new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
        transform(chunk, controller) {
          if (sizeAfter(chunk) <= most) controller.enqueue(chunk);
          else controller.error(new TypeError(`The answer is longer than ${most} bytes`));
        },
      }),
    );
    const { status, statusText, headers } = answer;
    return new Response(bounded, { status, statusText, headers });
  };
}

function sizeOfAll(): (chunk: Uint8Array) => number {
  let size = 0;
  return ({ byteLength }) => {
    size += byteLength;
    return size;
  };
}

/** Of the longest that has something in this chunk: a message ends with an empty line. */
function sizeOfMessage(): (chunk: Uint8Array) => number {
  let size = 0;
  let isEmptyLine = true;
  return (chunk) => {
    let longest = size;
    for (const byte of chunk) {
      size++;
      if (byte === LINE_END) {
        longest = Math.max(longest, size);
        if (isEmptyLine) size = 0;
        isEmptyLine = true;
      } else if (byte !== CARRIAGE_RETURN) isEmptyLine = false;
    }
    return Math.max(longest, size);
  };
}
