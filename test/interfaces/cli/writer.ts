/*
 * A process that writes a log as a service does: each setting's value is the position of the event that set it.
 * It prints every position that is durable, and ends when its input does.
 */
import { openStore, start } from './hark.ts';

const [dataDirectory = ''] = process.argv.slice(2);
const store = await openStore('embedded', dataDirectory);
let isOver = false;
process.stdin.on('end', () => {
  isOver = true;
});
process.stdin.resume();
for (let next = (await store.head()) + 1; !isOver; next++) {
  const { position } = await store.append({
    stream: 'settings',
    events: [{ type: 'config:changed', data: { changes: { apiRateLimit: next } } }],
    expected: 'any',
    at: start + next * 1_000,
    userId: null,
    correlationId: `cause-${next}`,
    causationId: null,
  });
  console.log(position);
}
await store.close();
