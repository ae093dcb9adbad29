import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { afterAll, describe, it } from 'vitest';
import { Language } from '../../src/language/language.ts';
import { skippedFor } from '../support/skippedFor.ts';

const AT = Date.UTC(2026, 10, 18, 12);
const said = (text: string) => ({ turns: [{ role: 'user', text, at: AT }] });

describe('language, read in a thread', () => {
  const language = new Language();
  afterAll(() => language.stop());

  it('needs no thread until something is read', async () => {
    const fresh = new Language();
    assert.equal(fresh.thread, undefined);
    await fresh.stop();
  });

  it('reads conversations that are asked for at once, each its own', async () => {
    const cities = ['Oslo', 'Bergen', 'Lisbon', 'Porto'];
    const all = await Promise.all(
      cities.map((city) => language.readConversation(said(`I live in ${city}.`))),
    );
    assert.deepEqual(
      all.map(({ statements }) => statements.map(({ value }) => value)),
      cities.map((city) => [city]),
    );
  });

  const isLinux = process.platform === 'linux';
  it('gives way to whoever answers', {
    ...skippedFor(isLinux ? false : 'needs priorities of threads'),
  }, async () => {
    await language.readConversation(said('I live in Oslo.'));
    const priorities = readdirSync('/proc/self/task').map(priorityOf);
    assert.equal(priorityOf(String(process.pid)), getPriority());
    assert.ok(priorities.includes(19), priorities.join(' '));
  });

  it('leaves out what was called off, whether it waits or is being read', async () => {
    const controller = new AbortController();
    const [running, waiting, other] = [
      language.readConversation(said('I live in Oslo.'), controller),
      language.readConversation(said('I live in Bergen.'), controller),
      language.readConversation(said('I live in Porto.')),
    ];
    const refused = [running, waiting].map((one) => assert.rejects(one, { name: 'AbortError' }));
    controller.abort();
    await Promise.all(refused);
    assert.equal((await other).statements[0]?.value, 'Porto');
    await assert.rejects(language.readConversation(said('x'), controller), { name: 'AbortError' });
  });

  it('reads on in a new thread when the old one died', async () => {
    await language.readConversation(said('I live in Oslo.'));
    const { thread } = language;
    const [first, second] = [
      language.readConversation(said('I live in Bergen.')),
      language.readConversation(said('I live in Porto.')),
    ];
    await thread?.terminate();
    assert.deepEqual(
      [(await first).statements[0]?.value, (await second).statements[0]?.value],
      ['Bergen', 'Porto'],
    );
    assert.notEqual(language.thread, thread);
  });

  it('gives up what takes too long', async () => {
    const hasty = new Language({ limitMs: 1 });
    await assert.rejects(hasty.readConversation(said('I live in Oslo.')), /too long/);
    await hasty.stop();
  });

  it('ends its thread when there is nothing to read for a while', async () => {
    const short = new Language({ idleMs: 1 });
    await short.readConversation(said('I live in Oslo.'));
    const { thread } = short;
    if (thread) await once(thread, 'exit');
    assert.equal(short.thread, undefined);
    assert.equal((await short.readConversation(said('I live in Oslo.'))).statements.length, 1);
    await short.stop();
  });

  it('refuses what is open when it is stopped, and what comes later', async () => {
    const stopped = new Language();
    const open = assert.rejects(stopped.readConversation(said('I live in Oslo.')), /any more/);
    await stopped.stop();
    await open;
    await assert.rejects(stopped.readConversation(said('I live in Oslo.')), /any more/);
  });
});

/** The name of a thread, in parentheses, may hold spaces; the 19th field is how far it gives way. */
function priorityOf(thread: string): number {
  try {
    const fields = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return Number(fields[16]);
  } catch {
    // It has ended since it was listed.
    return Number.NaN;
  }
}
