import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterAll, describe, it } from 'vitest';
import type { Advertisement } from '../../../src/gateways/mdns/advertisement.ts';
import { Advertiser } from '../../../src/gateways/mdns/advertiser.ts';
import { skippedFor } from '../../support/skippedFor.ts';
import { firstLifetime, isAnswer, LoopbackListener } from './loopbackQuery.ts';

const listener = await LoopbackListener.open();
afterAll(() => listener?.close());

const advertisement: Advertisement = {
  name: 'hark under test',
  port: 4102,
  txt: { id: 'a1b2c3', version: '9.9.9', path: '/api', tls: '0' },
  interfaces: ['lo'],
};
const answers = (message: string) => isAnswer(message) && message.includes('hark under test');
const takesBack = (message: string) => answers(message) && firstLifetime(message) === 0;

describe('announced on the network', () => {
  const needsMulticast = skippedFor(listener ? false : 'multicast on its loopback interface');

  it('it answers who asks, and takes that back when it stops', needsMulticast, async () => {
    assert(listener);
    const advertiser = new Advertiser({ advertisement, onFailure: () => assert.fail() });
    const announced = listener.hears(answers);
    advertiser.start();
    await announced;
    const answer = listener.hears((message) => answers(message) && message.includes('id=a1b2c3'));
    listener.ask('_hark._tcp.local');
    for (const told of ['_hark', 'version=9.9.9', 'path=/api', 'tls=0'])
      assert.ok((await answer).includes(told), told);
    const farewell = listener.hears(takesBack);
    await advertiser.stop();
    await farewell;
    assert.equal(advertiser.state, 'stopped');
  });

  it('it ends with the service, however that ends', needsMulticast, async () => {
    assert(listener);
    const url = new URL('../../../src/gateways/mdns/advertiser.ts', import.meta.url);
    const options = JSON.stringify({ advertisement });
    const program = `import { Advertiser } from ${JSON.stringify(url.href)};
      new Advertiser({ ...${options}, onFailure: () => process.exit(1) }).start();
      console.log('started');`;
    const announced = listener.hears(answers);
    const service = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(createInterface(service.stdout), 'line');
    await announced;
    const farewell = listener.hears(takesBack);
    service.kill('SIGKILL');
    await farewell;
  });
});

describe('where it cannot be announced', () => {
  it('it is tried three times, and then it stays quiet', async () => {
    const failures: number[] = [];
    const third = Promise.withResolvers<void>();
    const onFailure = (count: number) => {
      failures.push(count);
      if (count === 3) third.resolve();
    };
    const nameless = { ...advertisement, name: '' };
    const advertiser = new Advertiser({ advertisement: nameless, onFailure, pauseMs: 1 });
    advertiser.start();
    await third.promise;
    assert.deepEqual([failures, advertiser.state, advertiser.pid], [[1, 2, 3], 'failed', undefined]);
    await advertiser.stop();
  });

  it('its death is counted, and it is begun anew', async () => {
    const failed = Promise.withResolvers<number>();
    const advertiser = new Advertiser({ advertisement, onFailure: failed.resolve, pauseMs: 1 });
    advertiser.start();
    const first = advertiser.pid;
    assert(first);
    process.kill(first, 'SIGKILL');
    assert.equal(await failed.promise, 1);
    await advertiser.stop();
    assert.equal(advertiser.pid, undefined);
  });

  it('stopping ends it at any moment', async () => {
    const advertiser = new Advertiser({ advertisement, onFailure: () => assert.fail() });
    advertiser.start();
    const { pid } = advertiser;
    assert(pid);
    await advertiser.stop();
    assert.throws(() => process.kill(pid, 0));
  });
});
