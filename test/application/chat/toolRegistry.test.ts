import assert from 'node:assert/strict';
import { fc, it } from '@fast-check/vitest';
import { describe } from 'vitest';
import { ToolRegistry } from '../../../src/application/chat/toolRegistry.ts';
import { tool } from '../../support/tools.ts';

const registry = () =>
  new ToolRegistry((what, error) => {
    throw new Error(what, { cause: error });
  });
const names = (of: ToolRegistry) => of.list().map(({ name }) => name);

describe('the registry of tools', () => {
  it('has what was registered, by name and in the order of names', () => {
    const tools = registry();
    tools.register('b', tool('b.two'), tool('b.one'));
    tools.register('a', tool('z'), tool('a'));
    assert.deepEqual(names(tools), ['a', 'b.one', 'b.two', 'z']);
    assert.equal(tools.get('b.two')?.description, 'Does b.two');
    assert.equal(tools.get('b'), undefined);
  });

  it('gives the same list for as long as nothing changes', () => {
    const tools = registry();
    tools.register('a', tool('a'));
    const before = tools.list();
    assert.equal(tools.list(), before);
    assert.throws(() => Array.prototype.push.call(before, tool('b')), TypeError);
    tools.register('a', tool('b'));
    assert.notEqual(tools.list(), before);
  });

  it('exchanges the whole group of a source, and nothing of another', () => {
    const tools = registry();
    tools.register('own', tool('system.health'));
    tools.replace('home', [tool('home.light'), tool('home.heating')]);
    tools.replace('home', [tool('home.light', { description: 'New' }), tool('home.door')]);
    assert.deepEqual(names(tools), ['home.door', 'home.light', 'system.health']);
    assert.equal(tools.get('home.light')?.description, 'New');
  });

  it('takes away what is named, or all of a source', () => {
    const tools = registry();
    tools.register('a', tool('a.one'), tool('a.two'), tool('a.three'));
    tools.register('b', tool('b.one'));
    tools.unregister('a', 'a.two', 'b.one');
    assert.deepEqual(names(tools), ['a.one', 'a.three', 'b.one']);
    tools.unregister('a');
    tools.unregister('nobody');
    assert.deepEqual(names(tools), ['b.one']);
  });

  it('tells of a change, but not when a source comes back as it was', () => {
    const tools = registry();
    let told = 0;
    const stop = tools.onChange(() => told++);
    tools.replace('home', [tool('home.light'), tool('home.door')]);
    tools.replace('home', [tool('home.door'), tool('home.light')]);
    assert.equal(told, 1);
    tools.replace('home', [tool('home.door', { description: 'Opens' }), tool('home.light')]);
    tools.unregister('home');
    assert.equal(told, 3);
    stop();
    tools.register('home', tool('home.light'));
    assert.equal(told, 3);
  });

  it('is changed, and tells the others, whatever a listener does', () => {
    const failures: string[] = [];
    const tools = new ToolRegistry((what) => failures.push(what));
    let told = 0;
    tools.onChange(() => {
      throw new Error('no');
    });
    tools.onChange(() => told++);
    tools.register('a', tool('a'));
    assert.deepEqual([told, failures.length, names(tools)], [1, 1, ['a']]);
  });
});

describe('a tool that cannot be registered', () => {
  const refused = (name: string) => {
    const tools = registry();
    tools.register('own', tool('system.health'));
    const before = tools.list();
    assert.throws(() => tools.register('home', tool('home.light'), tool(name)), TypeError, name);
    assert.equal(tools.list(), before);
  };

  for (const name of ['', '.', 'a.', '.a', 'a..b', 'a b', 'a/b', 'ä', 'a\n', 'a'.repeat(129)])
    it(`is one with the name ${JSON.stringify(name.slice(0, 10))}, and the others of its group stay away too`, () =>
      refused(name));

  it('is one whose name another source has, or that comes twice', () => {
    refused('system.health');
    refused('home.light');
  });

  it('is one whose name is kept for another source, whose tools come and go', () => {
    const tools = registry();
    tools.reserve('own', ['system.health']);
    assert.equal(tools.ownerOf('system.health'), 'own');
    assert.throws(() => tools.register('system', tool('system.health')), TypeError);
    tools.replace('own', [tool('system.health')]);
    tools.replace('own', []);
    assert.throws(() => tools.register('system', tool('system.health')), TypeError);
  });
});

const source = fc.constantFrom('a', 'b', 'c');
const group = fc.array(fc.constantFrom('one', 'two', 'three', 'x.y', 'bad name'), { maxLength: 4 });

it.prop([fc.array(fc.tuple(source, group), { maxLength: 20 })])(
  'whatever sources do, every name is there once, in order, and belongs to who had it first',
  (changes) => {
    const tools = registry();
    const owners = new Map<string, string>();
    for (const [owner, wanted] of changes) {
      const others = wanted.some((name) => (owners.get(name) ?? owner) !== owner);
      const isFine = !others && !wanted.includes('bad name') && new Set(wanted).size === wanted.length;
      const replace = () =>
        tools.replace(
          owner,
          wanted.map((name) => tool(name)),
        );
      if (!isFine) {
        assert.throws(replace, TypeError);
        continue;
      }
      replace();
      for (const [name, had] of owners) if (had === owner) owners.delete(name);
      for (const name of wanted) owners.set(name, owner);
    }
    assert.deepEqual(names(tools), [...owners.keys()].sort());
  },
);
