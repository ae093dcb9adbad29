/** What a server sends beyond this many bytes in one answer breaks the answer off. Streams of news have no end. */
export function boundedFetch(most: number): typeof fetch {
  return async (input, init) => {
    const answer = await fetch(input, init);
    if (!answer.body || init?.method !== 'POST') return answer;
    let received = 0;
    const bounded = answer.body.pipeThrough(
      new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
        transform(chunk, controller) {
          received += chunk.byteLength;
          if (received > most) controller.error(new TypeError(`The answer is longer than ${most} bytes`));
          else controller.enqueue(chunk);
        },
      }),
    );
    const { status, statusText, headers } = answer;
    return new Response(bounded, { status, statusText, headers });
  };
}
