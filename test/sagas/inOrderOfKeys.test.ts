import assert from 'node:assert/strict';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { of, Subject } from 'rxjs';
import { describe, it } from 'vitest';
import { inOrderOfKeys } from '../../src/sagas/inOrderOfKeys.ts';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

const MOST_KEPT_BYTES = 2 * 1024 * 1024;

describe('in the order of keys', () => {
  it('a key is forgotten as soon as nothing of it waits: twenty thousand take no memory', () => {
    const triggers = new Subject<string>();
    let answered = 0;
    const never = new AbortController().signal;
    const inOrder = inOrderOfKeys<string>(
      (key) => key,
      (key) => of(key),
      never,
    );
    const answers = triggers.pipe(inOrder).subscribe(() => answered++);
    const pass = (from: number, to: number) => {
      for (let n = from; n < to; n++) triggers.next(`key ${n}`);
      collect();
      return process.memoryUsage().heapUsed;
    };
    const before = pass(0, 1_000);
    const after = pass(1_000, 21_000);
    assert.equal(answered, 21_000);
    assert.ok(after - before < MOST_KEPT_BYTES, `${after - before} bytes are kept`);
    answers.unsubscribe();
  });
});
