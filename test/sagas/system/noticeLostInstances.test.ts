import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'vitest';
import type { StoreCommandRunner } from '../../../src/commands/runner.ts';
import { startInstance, stopInstance } from '../../../src/commands/system/instances.ts';
import { eventCatalog } from '../../../src/events/catalog.ts';
import { instanceLost, instanceStarted } from '../../../src/events/system.ts';
import { ProjectionRuntime } from '../../../src/projections/runtime.ts';
import { instances, runningInstances } from '../../../src/projections/system/instances.ts';
import { type Reaction, TryAgainLater } from '../../../src/sagas/saga.ts';
import {
  holdInstanceLease,
  INSTANCE_LEASE_MS,
  instanceLease,
  type SignOfLife,
} from '../../../src/sagas/system/instanceLease.ts';
import { noticeLostInstances } from '../../../src/sagas/system/noticeLostInstances.ts';
import { Log } from '../../../src/store/log.ts';
import { MemoryAdapter } from '../../../src/store/memory/adapter.ts';
import type { StoredEvent } from '../../../src/store/storedEvent.ts';
import { readAll } from '../../store/contract.ts';
import { runnerOn } from '../../support/counting.ts';
import { answered } from '../../support/sagas.ts';

describe('a process that starts', () => {
  let log: Log;
  let runner: StoreCommandRunner;
  let views: ProjectionRuntime;
  const ending = new Map<string, AbortController>();

  beforeEach(async () => {
    log = await Log.open(new MemoryAdapter(), eventCatalog);
    runner = runnerOn(log);
    views = new ProjectionRuntime(log, [instances]);
    await views.start();
  });
  afterEach(() => {
    for (const controller of ending.values()) controller.abort();
    ending.clear();
  });

  async function begin(instanceId: string): Promise<StoredEvent> {
    const controller = new AbortController();
    ending.set(instanceId, controller);
    await holdInstanceLease(log, instanceId, controller.signal);
    await runner.run(startInstance, { instanceId, version: '1', pid: 1 }, context(instanceId));
    const started = (await readAll(log)).findLast(({ type }) => type === instanceStarted.type);
    assert.ok(started);
    return started;
  }
  /** Its lease lapses, as it would by itself in 15 s, or is gone at once with the directory's lock. */
  async function die(instanceId: string): Promise<void> {
    ending.get(instanceId)?.abort();
    await lapse(instanceId);
  }
  async function lapse(instanceId: string): Promise<void> {
    const lease = await log.acquireLease(instanceLease(instanceId), instanceId, INSTANCE_LEASE_MS);
    assert.ok(lease);
    await log.releaseLease(lease);
  }
  function reactionTo(event: StoredEvent): Reaction {
    return {
      failures: 0,
      signal: new AbortController().signal,
      run: (command, input, { step = command.name } = {}) =>
        runner.run(command, input, { ...context(event.id), commandId: `notice:${event.id}:${step}` }),
    };
  }
  const unbroken: SignOfLife = { lapses: async () => 0 };
  const context = (correlationId: string) => ({ userId: '', correlationId });
  const lost = async () =>
    (await readAll(log))
      .filter(({ type }) => type === instanceLost.type)
      .map(({ data }) => instanceLost.data.parse(data).instanceId);

  it('notices those before it that are gone, each once', async () => {
    await begin('one');
    await begin('two');
    await die('one');
    await die('two');
    const started = await begin('three');
    const saga = noticeLostInstances(log, views, unbroken);
    await answered(saga, started, reactionTo(started));
    await answered(saga, started, reactionTo(started));
    assert.deepEqual((await lost()).sort(), ['one', 'two']);
    assert.deepEqual(
      runningInstances(views.view(instances)).map(({ instanceId }) => instanceId),
      ['three'],
    );
  });

  it('leaves alone those that stopped, and holds none of the leases that it looked at', async () => {
    await begin('one');
    await runner.run(stopInstance, { instanceId: 'one' }, context('one'));
    await die('one');
    await begin('two');
    await die('two');
    const started = await begin('three');
    await answered(noticeLostInstances(log, views, unbroken), started, reactionTo(started));
    assert.deepEqual(await lost(), ['two']);
    assert.ok(await log.acquireLease(instanceLease('two'), 'anybody', 1));
  });

  it('waits once for one whose lease may be about to lapse, and takes it for alive after that', async () => {
    await begin('one');
    const started = await begin('two');
    const saga = noticeLostInstances(log, views, unbroken);
    await assert.rejects(
      answered(saga, started, reactionTo(started)),
      (error) => error instanceof TryAgainLater && error.afterMs > INSTANCE_LEASE_MS,
    );
    await answered(saga, started, reactionTo(started));
    assert.deepEqual(await lost(), []);
  });

  it('does not wait for itself when it answers the start of one before it once more', async () => {
    const started = await begin('killed');
    await die('killed');
    const own = await begin('one');
    const saga = noticeLostInstances(log, views, unbroken);
    await answered(saga, started, reactionTo(started));
    await answered(saga, own, reactionTo(own));
    assert.deepEqual(await lost(), ['killed']);
    await answered(saga, started, reactionTo(started));
  });

  it('notices those that are gone without waiting for those that may be', async () => {
    await begin('alive');
    await begin('gone');
    await die('gone');
    const started = await begin('three');
    await assert.rejects(
      answered(noticeLostInstances(log, views, unbroken), started, reactionTo(started)),
      TryAgainLater,
    );
    assert.deepEqual(await lost(), ['gone']);
  });

  it('notices one that was killed a moment ago when it looks again', async () => {
    await begin('one');
    const started = await begin('two');
    const saga = noticeLostInstances(log, views, unbroken);
    await assert.rejects(answered(saga, started, reactionTo(started)), TryAgainLater);
    await die('one');
    await answered(saga, started, reactionTo(started));
    assert.deepEqual(await lost(), ['one']);
  });

  it('gives others the time to show that they live after its own sign of life lapsed', async () => {
    await begin('other');
    const started = await begin('one');
    const own = await holdInstanceLease(log, 'watching', new AbortController().signal);
    const saga = noticeLostInstances(log, views, own);
    // As after a store that was away for long: all have lapsed, and nobody has shown yet that it lives.
    for (const name of ['other', 'watching']) await lapse(name);
    await assert.rejects(
      answered(saga, started, reactionTo(started)),
      (error) => error instanceof TryAgainLater && error.afterMs === INSTANCE_LEASE_MS,
    );
    assert.ok(await log.acquireLease(instanceLease('other'), 'other', INSTANCE_LEASE_MS));
    await assert.rejects(answered(saga, started, reactionTo(started)), TryAgainLater);
    await answered(saga, started, reactionTo(started));
    assert.deepEqual(await lost(), []);
  });

  it('never takes itself for lost', async () => {
    const started = await begin('one');
    await die('one');
    await answered(noticeLostInstances(log, views, unbroken), started, reactionTo(started));
    assert.deepEqual(await lost(), []);
  });
});
