import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { inFolder } from './support/folder.ts';
import { percentile, Samples } from './support/measure.ts';
import { type Benchmark, limitRow } from './support/table.ts';
import { Watched } from './support/watched.ts';

const REMINDERS = 100;
const APART_MS = 100;
const LEAD_MS = 5_000;

export const reminders: Benchmark = {
  title: `${REMINDERS} reminders of one user, ${APART_MS} ms apart, in a session and by a channel; sqlite`,
  async run(rounds) {
    const samples = new Samples();
    for (let round = 0; round < rounds; round++)
      await inFolder(async (folder) => samples.add('hark', await remind(folder)));
    const ours = (column: string) => samples.median('hark', column);
    return [
      limitRow('told in the session after its time, p50', ours('session50'), 50, 'ms'),
      limitRow('told in the session after its time, p95', ours('session95'), 50, 'ms'),
      limitRow('at the server of ntfy after its time, p50', ours('channel50'), 200, 'ms'),
      limitRow('at the server of ntfy after its time, p95', ours('channel95'), 200, 'ms'),
    ];
  },
};

/** How long after its time each is heard, by who listens to the session and by the channel. */
class Heard {
  readonly late: number[] = [];
  readonly all: Promise<void>;
  readonly #dueAt: (said: string) => number;
  readonly #isAll = Promise.withResolvers<void>();

  constructor(dueAt: (said: string) => number) {
    this.#dueAt = dueAt;
    this.all = this.#isAll.promise;
  }

  hear(said: string): void {
    this.late.push(performance.timeOrigin + performance.now() - this.#dueAt(said));
    if (this.late.length === REMINDERS) this.#isAll.resolve();
  }
}

async function remind(folder: string): Promise<Record<string, number>> {
  const service = await Watched.hark({
    SERVICE_DATA_DIR: folder,
    SERVICE_CREDENTIAL_SALT: '00'.repeat(32),
    SERVICE_WEBHOOK_ALLOW_PRIVATE: 'true',
    API_RATE_LIMIT: String(Number.MAX_SAFE_INTEGER),
  });
  const start = Date.now() + LEAD_MS;
  const dueAt = (said: string) => start + Number(said) * APART_MS;
  const [session, channel] = [new Heard(dueAt), new Heard(dueAt)];
  const ntfy = createServer(async (request, response) => {
    channel.hear(JSON.parse(await text(request)).message);
    response.setHeader('content-type', 'application/json').end('{"id":"a","event":"message"}');
  }).listen(0, '127.0.0.1');
  await once(ntfy, 'listening');
  const over = new AbortController();
  try {
    const url = `http://127.0.0.1:${Object(ntfy.address()).port}`;
    const settings = { url, topic: 'bench' };
    await post(service, 'notifications/channels', {
      type: 'ntfy',
      name: 'Phone',
      settings,
      mostAnHour: 1_000,
    });
    const listening = listen(service, session, over.signal);
    for (let index = 0; index < REMINDERS; index++) {
      const due = { scheduleType: 'once', atTimestamp: dueAt(String(index)) };
      await post(service, 'scheduler/tasks', { name: 'Tea', text: String(index), sessionId: 'tea', ...due });
    }
    await Promise.all([session.all, channel.all]);
    over.abort();
    await listening;
  } finally {
    ntfy.close();
  }
  await service.stop();
  const quantiles = (name: string, { late }: Heard) => ({
    [`${name}50`]: percentile(late, 50),
    [`${name}95`]: percentile(late, 95),
  });
  return { ...quantiles('session', session), ...quantiles('channel', channel) };
}

async function listen({ url }: Watched, session: Heard, signal: AbortSignal): Promise<void> {
  const answer = await fetch(`${url}/api/events/stream?topics=chat.reply.sent`, { signal });
  let unread = '';
  try {
    for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const messages = (unread + chunk).split('\n\n');
      unread = messages.pop() ?? '';
      for (const message of messages) {
        const [, said] = /^data: (.*)$/m.exec(message) ?? [];
        if (said !== undefined) session.hear(JSON.parse(said).data.parts[0].text);
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

async function post({ url }: Watched, path: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${url}/api/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
}
