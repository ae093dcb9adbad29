import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, test } from 'vitest';
import { checkDependencies } from '../../scripts/check-dependencies.ts';

/** What the rule says of a made-up `src`, given as path and content. */
function check(files: Record<string, string>): string[] {
  const root = mkdtempSync(join(tmpdir(), 'hark-dependencies-'));
  try {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(root, 'src', path)), { recursive: true });
      writeFileSync(join(root, 'src', path), content);
    }
    return checkDependencies(root);
  } finally {
    rmSync(root, { recursive: true });
  }
}

const refused: Record<string, readonly [files: Record<string, string>, violation: string]> = {
  'a layer that the table does not give': [
    {
      'events/chat.ts': '',
      'commands/a.ts': '',
      'events/system.ts': "\nimport { a } from '../commands/a.ts';",
    },
    'src/events/system.ts:2 imports commands/a.ts: events may not import commands',
  ],
  'a value where only types may be taken': [
    { 'sagas/a.ts': "import { type Store } from '../store/port.ts';" },
    'src/sagas/a.ts:1 imports store/port.ts: sagas may import only its types (import type)',
  ],
  'a store file that is not the port': [
    { 'interfaces/a.ts': "import type { Log } from '../store/log.ts';" },
    'src/interfaces/a.ts:1 imports store/log.ts: interfaces may not import store',
  ],
  'a re-export': [
    { 'gateways/a.ts': "export * from '../events/chat.ts';" },
    'src/gateways/a.ts:1 imports events/chat.ts: gateways may not import events',
  ],
  'a named re-export': [
    { 'gateways/a.ts': "export { a } from '../events/chat.ts';" },
    'src/gateways/a.ts:1 imports events/chat.ts: gateways may not import events',
  ],
  'an import at run time': [
    { 'store/a.ts': "const a = await import('../commands/a.ts');" },
    'src/store/a.ts:1 imports commands/a.ts: store may not import commands',
  ],
  'an import inside a type': [
    { 'store/a.ts': "let a: import('../commands/a.ts').A;" },
    'src/store/a.ts:1 imports commands/a.ts: store may not import commands',
  ],
  'a worker loaded by URL': [
    { 'store/a.ts': "new Worker(new URL('../sagas/a.ts', import.meta.url));" },
    'src/store/a.ts:1 imports sagas/a.ts: store may not import sagas',
  ],
  'a path that is computed': [
    { 'store/a.ts': 'await import(name);' },
    'src/store/a.ts:1 imports something computed: a computed path cannot be checked',
  ],
  'a file outside src': [
    { 'store/a.ts': "import '../../test/support/a.ts';" },
    'src/store/a.ts:1 imports ../../test/support/a.ts: it lies outside src',
  ],
  'what only the command line may import': [
    { 'interfaces/rest/server.ts': "import { openAdapter } from '../../store/open.ts';" },
    'src/interfaces/rest/server.ts:1 imports store/open.ts: interfaces may not import store',
  ],
  'a package that is not on the list': [
    { 'commands/a.ts': "import { x } from '@scope/name/deep';" },
    'src/commands/a.ts:1 imports @scope/name/deep: commands may not import this package',
  ],
  'a package of which only types are on the list': [
    { 'interfaces/a.ts': "import { pino } from 'pino';" },
    'src/interfaces/a.ts:1 imports pino: interfaces may import only its types (import type)',
  ],
  'Node in an event': [
    { 'events/chat.ts': "import { randomUUID } from 'node:crypto';" },
    'src/events/chat.ts:1 imports node:crypto: events may not import from Node',
  ],
  'a command of another area in a command': [
    { 'commands/chat/say.ts': "import { prune } from '../memory/prune.ts';" },
    'src/commands/chat/say.ts:1 imports commands/memory/prune.ts: chat may not use this of another area, memory',
  ],
  'a projection of its own area in a command': [
    { 'commands/chat/say.ts': "import type { A } from '../../projections/chat/a.ts';" },
    'src/commands/chat/say.ts:1 imports projections/chat/a.ts: commands may not import projections',
  ],
  'a saga of another area in a saga': [
    { 'sagas/chat/turn.ts': "import type { A } from '../memory/a.ts';" },
    'src/sagas/chat/turn.ts:1 imports sagas/memory/a.ts: chat may not use this of another area, memory',
  ],
  'an operation of another area in an operation': [
    { 'interfaces/operations/chat.ts': "import type { A } from './memory.ts';" },
    'src/interfaces/operations/chat.ts:1 imports interfaces/operations/memory.ts: chat may not use this of another area, memory',
  ],
  'a command of another area in an operation': [
    { 'interfaces/operations/chat.ts': "import { prune } from '../../commands/memory/prune.ts';" },
    'src/interfaces/operations/chat.ts:1 imports commands/memory/prune.ts: chat may not use this of another area, memory',
  ],
  'a cycle, of types too': [
    {
      'store/a.ts': "import type { B } from './b.ts';",
      'store/b.ts': "import { c } from './c.ts';",
      'store/c.ts': "import { a } from './a.ts';",
    },
    'src/store/c.ts:1 imports store/a.ts: a cycle: store/a.ts → store/b.ts → store/c.ts → store/a.ts',
  ],
  'a folder of src that is no layer': [
    { 'lib/a.ts': '' },
    'src/lib/a.ts:1: no layer of this name in scripts/layers.ts',
  ],
  'a folder of utils': [{ 'store/utils/a.ts': '' }, 'src/store/utils/a.ts:1: name what it is for, not utils'],
  'an index that only re-exports': [
    { 'store/index.ts': "import { a } from './a.ts';\nexport * from './b.ts';\nexport { a };" },
    'src/store/index.ts:1: an index.ts that only re-exports',
  ],
};

describe('the dependency rule refuses', () => {
  for (const [name, [files, violation]] of Object.entries(refused)) {
    test(name, () => assert.deepEqual(check(files), [violation]));
  }
});

const allowed: Record<string, Record<string, string>> = {
  'errors, the clock and ids in every layer': {
    'events/a.ts': "import { HarkError } from '../errors.ts';",
    'gateways/a.ts': "import { newId } from '../ids.ts';\nimport type { Clock } from '../clock.ts';",
  },
  'what the table gives': {
    'events/chat.ts': "import { z } from 'zod';",
    'commands/chat/say.ts':
      "import { a } from '../../events/chat.ts';\nimport type { B } from '../../store/port.ts';",
    'interfaces/cli/main.ts':
      "import { openAdapter } from '../../store/open.ts';\nimport 'commander';\nimport 'zod';",
    'main.ts': "import './store/log.ts';\nimport 'pino';",
  },
  'files that a layer shares': {
    'commands/chat/say.ts': "import { defineCommand } from '../command.ts';",
    'interfaces/operations/chat.ts': "import { defineOperation } from './operation.ts';",
  },
  'projections and events of another area': {
    'projections/chat/a.ts': "import { b } from '../memory/b.ts';",
    'sagas/chat/a.ts': "import { b } from '../../projections/memory/b.ts';",
    'interfaces/operations/chat.ts': "import { b } from '../../projections/memory/b.ts';",
    'commands/chat/a.ts': "import { b } from '../../events/memory.ts';",
  },
  'a command of another area through a saga': {
    'sagas/chat/a.ts': "import { b } from '../../commands/memory/b.ts';",
  },
  'an index with something of its own': { 'store/index.ts': "export const a = 1;\nexport * from './b.ts';" },
};

describe('the dependency rule allows', () => {
  for (const [name, files] of Object.entries(allowed)) {
    test(name, () => assert.deepEqual(check(files), []));
  }
});
