import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { Dependencies, type DependencyState } from '../../../src/application/system/dependencies.ts';

const ready: DependencyState = { status: 'ready' };

describe('what hark can do without', () => {
  it('is looked at all at once, and what does not answer in time holds up nobody', async () => {
    const begun: string[] = [];
    const look = (name: string, found: () => Promise<DependencyState>) => ({
      name,
      kind: 'test',
      look: () => {
        begun.push(name);
        return found();
      },
    });
    const dependencies = new Dependencies({
      looks: [
        look('silent', () => new Promise(() => undefined)),
        look('broken', () => Promise.reject(new Error('a secret of the machine'))),
        look('there', async () => ({ status: 'ready', version: '8', hint: undefined })),
      ],
      now: () => 0,
      longestLookMs: 1,
    });
    const listing = dependencies.list();
    assert.deepEqual(begun, ['silent', 'broken', 'there']);
    assert.deepEqual(await listing, [
      { name: 'silent', kind: 'test', status: 'stopped', hint: 'It did not answer in time' },
      { name: 'broken', kind: 'test', status: 'stopped', hint: 'It could not be looked at' },
      { name: 'there', kind: 'test', status: 'ready', version: '8' },
    ]);
  });

  it('is looked at once for all who ask within seconds, and anew when it is another', async () => {
    let now = 0;
    let looks = 0;
    const look = async () => {
      looks++;
      return ready;
    };
    const dependencies = new Dependencies({ looks: [{ name: 'one', kind: 'test', look }], now: () => now });
    await Promise.all([dependencies.list(), dependencies.list()]);
    now = 2_999;
    await dependencies.list();
    assert.equal(looks, 1);
    now = 3_000;
    await dependencies.list();
    assert.equal(looks, 2);
    dependencies.forget();
    await dependencies.list();
    assert.equal(looks, 3);
  });
});
