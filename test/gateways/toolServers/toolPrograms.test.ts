import assert from 'node:assert/strict';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'vitest';
import { connectToolServer } from '../../../src/gateways/toolServers/connection.ts';
import { Intake } from '../../../src/gateways/toolServers/intake.ts';
import { ProgramTransport } from '../../../src/gateways/toolServers/programTransport.ts';
import { readToolServerFile } from '../../../src/toolServerSpec.ts';

const path = fileURLToPath(new URL('../../support/badProgram.ts', import.meta.url));

function program(behaviour: string, more: object = {}) {
  const one = { name: 'bad', prefix: 'bad', command: process.execPath, args: [path, behaviour], ...more };
  const [spec] = readToolServerFile(JSON.stringify({ servers: [one] }));
  return spec ?? assert.fail();
}

async function connected(behaviour: string, more: object = {}, signal = new AbortController().signal) {
  const { promise: closed, resolve } = Promise.withResolvers<string>();
  let reason = 'closed';
  const connection = await connectToolServer(program(behaviour, more), '1', {
    signal,
    onToolsChanged: () => undefined,
    onCutOff: (why) => {
      reason = why;
    },
    onClose: () => resolve(reason),
  });
  return { connection, closed };
}

/** Not beside the others: what those do takes of the same thread. */
describe('tool servers that never stop talking', () => {
  it('take little of the thread together, and are cut off', async () => {
    const floods = await Promise.all(['notifications', 'junk'].map((behaviour) => connected(behaviour)));
    await Promise.all(floods.map(({ connection }) => connection.list()));
    // Of the processor's time: on a busy machine a loop is at work for as long as it waits for a processor.
    const before = process.threadCpuUsage();
    const began = performance.now();
    for (const { closed } of floods) assert.equal(await closed, 'It did not stop sending');
    const { user, system } = process.threadCpuUsage(before);
    const share = (user + system) / 1_000 / (performance.now() - began);
    assert.ok(share < 0.5, `${share}`);
  });
});

describe.concurrent('a tool server that is a program', () => {
  for (const behaviour of ['ends', 'silent'])
    it(`of an older revision is spoken to, though it ${behaviour} when it is asked which it speaks`, async () => {
      const { connection } = await connected(behaviour, { timeoutMs: 2_000 });
      assert.equal(connection.version, '2025-06-18');
      assert.deepEqual(
        (await connection.list()).map(({ name }) => name),
        ['echo'],
      );
      await connection.close();
    });

  it('that sends one message without end is cut off', async () => {
    const { connection, closed } = await connected('endless', { maxResponseBytes: 20_000 });
    await connection.list();
    assert.equal(await closed, 'It sent a message of more than 20000 bytes');
  });

  it('that does not read fills no memory', async () => {
    const spec = program('silent');
    assert('command' in spec);
    const { promise: cutOff, resolve } = Promise.withResolvers<string>();
    const sleeper = { ...spec, command: 'sleep', args: ['60'], env: process.env };
    const transport = new ProgramTransport(sleeper, new Intake(resolve));
    await transport.start();
    const message = { jsonrpc: '2.0', method: 'x', params: { text: 'x'.repeat(1_000_000) } } as const;
    const tellAll = async () => {
      for (let sent = 0; sent < 100; sent++) await transport.send(message);
    };
    await assert.rejects(tellAll(), /does not read/);
    assert.equal(await cutOff, 'It does not read its input');
    const { pid } = transport;
    assert(pid);
    await transport.close();
    assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
    await assert.rejects(transport.send(message), /has ended/);
  });

  it('that does not want to end has ended when it is closed, whoever began that', async () => {
    const stopping = new AbortController();
    const { connection } = await connected('stubborn', {}, stopping.signal);
    const [tool] = await connection.list();
    const pid = Number(tool?.description);
    process.kill(pid, 0);
    stopping.abort();
    await connection.close();
    assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
  });

  it('that is not there is told of with the reason', async () => {
    const spec = { ...program('silent'), command: '/nowhere/at/all' };
    const events = {
      signal: new AbortController().signal,
      onToolsChanged: () => undefined,
      onCutOff: () => undefined,
      onClose: () => undefined,
    };
    await assert.rejects(connectToolServer(spec, '1', events), { code: 'ENOENT' });
  });
});
