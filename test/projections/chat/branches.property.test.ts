import assert from 'node:assert/strict';
import { fc, it } from '@fast-check/vitest';
import { describe } from 'vitest';
import {
  asideIn,
  type Branches,
  chooseTurn,
  ReadBranches,
  replaceTurn,
  versionsOf,
} from '../../../src/projections/chat/branches.ts';

interface Turn {
  readonly turnId: string;
}

/** What is done next, with a turn that there is by then: the last, or one so many before it. */
const step = fc.record(
  { does: fc.constantFrom('says', 'says', 'replaces', 'chooses'), back: fc.nat({ max: 12 }) },
  { noNullPrototype: true },
);

/** The same as a tree: of each turn the one that it follows on, and after each the one that was taken last. */
class Tree {
  readonly parents = new Map<string, string | null>();
  readonly taken = new Map<string | null, string>();

  get path(): string[] {
    const path: string[] = [];
    for (let next = this.taken.get(null); next !== undefined; next = this.taken.get(next)) path.push(next);
    return path;
  }

  say(turnId: string): void {
    this.#put(turnId, this.path.at(-1) ?? null);
  }

  replace(replaced: string, turnId: string): void {
    this.choose(replaced);
    this.#put(turnId, this.parents.get(replaced) ?? null);
  }

  choose(turnId: string): void {
    const parent = this.parents.get(turnId) ?? null;
    this.taken.set(parent, turnId);
    if (parent !== null) this.choose(parent);
  }

  siblings(turnId: string): string[] {
    const parent = this.parents.get(turnId);
    return [...this.parents].flatMap(([one, other]) => (other === parent ? [one] : []));
  }

  #put(turnId: string, parent: string | null): void {
    this.parents.set(turnId, parent);
    this.taken.set(parent, turnId);
  }
}

describe('whatever is said, edited and taken up again', () => {
  it.prop([fc.array(step, { maxLength: 30 })], { numRuns: 500 })(
    'one path leads through the conversation, nothing is lost, and every version is known',
    (steps) => {
      let branches: Branches<Turn> = { path: [], aside: [], versions: [] };
      const read = new ReadBranches<Turn>();
      const tree = new Tree();
      const all: string[] = [];
      for (const [number, { does, back }] of steps.entries()) {
        const before = all[Math.max(0, all.length - 1 - back)];
        const turnId = `t${number}`;
        if (does === 'chooses' && before !== undefined) {
          branches = chooseTurn(branches, before);
          read.choose(before);
          tree.choose(before);
        } else if (does === 'replaces' && before !== undefined) {
          branches = replaceTurn(branches, before, { turnId });
          read.add({ turnId }, before);
          tree.replace(before, turnId);
          all.push(turnId);
        } else {
          branches = { ...branches, path: [...branches.path, { turnId }] };
          read.add({ turnId }, undefined);
          tree.say(turnId);
          all.push(turnId);
        }
        const path = branches.path.map((one) => one.turnId);
        assert.deepEqual(path, tree.path);
        assert.deepEqual([...path, ...asideIn(branches)].sort(), all.toSorted());
        assert.ok(branches.aside.every(({ turns }) => turns.length > 0));
        for (const one of all) assert.deepEqual(versionsOf(branches, one) ?? [one], tree.siblings(one));
      }
      const { path, aside, versions } = read;
      assert.deepEqual({ path, aside, versions }, branches);
    },
  );

  it('goes on behind what is there where a turn is unknown', () => {
    const branches: Branches<Turn> = { path: [{ turnId: 't1' }], aside: [], versions: [] };
    assert.equal(chooseTurn(branches, 'unknown'), branches);
    const replaced = replaceTurn(branches, 'unknown', { turnId: 't2' });
    assert.deepEqual(replaced, { ...branches, path: [{ turnId: 't1' }, { turnId: 't2' }] });
  });
});
