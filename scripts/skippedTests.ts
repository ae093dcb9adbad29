import type { TestEvent } from 'node:test/reporters';

/** A reporter beside the one that people read: a line for each test that was skipped, with the reason. */
export default async function* skippedTests(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of events) {
    if (event.type !== 'test:pass' || event.data.skip === undefined) continue;
    const { name, skip } = event.data;
    yield `${name}${typeof skip === 'string' && skip ? `: ${skip}` : ''}\n`;
  }
}
