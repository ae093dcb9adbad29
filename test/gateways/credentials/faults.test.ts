import assert from 'node:assert/strict';
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { describe, type TestContext, test } from 'vitest';
import { isHarkError } from '../../../src/errors.ts';
import { DataDirectory } from './directory.ts';

const A = 'provider-cloud-a';

/** What can have happened to the files of a key that was stored; the file is to be left as it then is. */
const faults: Record<string, { cause: (directory: DataDirectory) => void; says: RegExp }> = {
  'cut off': {
    cause: (directory) => directory.write(directory.read().slice(0, 100)),
    says: /damaged.*move it aside/,
  },
  empty: { cause: (directory) => directory.write(''), says: /damaged/ },
  'not JSON': { cause: (directory) => directory.write('sk-secret, and no JSON'), says: /damaged/ },
  'other JSON': { cause: (directory) => directory.write('[null]'), says: /damaged/ },
  'of a newer version': {
    cause: (directory) => directory.write(directory.read().replace('"version": 1', '"version": 2')),
    says: /newer version of hark/,
  },
  'of another machine': {
    cause: (directory) => directory.write('ab'.repeat(32), 'credentials.secret'),
    says: /another machine secret or salt.*credentials\.secret/,
  },
  'without its secret': {
    cause: (directory) => rmSync(directory.file('credentials.secret')),
    says: /another machine secret or salt/,
  },
  'without its salt': {
    cause: (directory) => rmSync(directory.file('credentials.salt')),
    says: /another machine secret or salt/,
  },
  'with a damaged secret': {
    cause: (directory) => directory.write('abc', 'credentials.secret'),
    says: /credentials\.secret is damaged/,
  },
  'with an entry moved to another provider': {
    cause: (directory) => directory.write(directory.read().replace(A, 'provider-cloud-b')),
    says: /damaged/,
  },
  'with an entry taken out': {
    cause: (directory) => {
      const document = JSON.parse(directory.read());
      directory.write(`${JSON.stringify({ ...document, credentials: {} }, null, 2)}\n`);
    },
    says: /damaged/,
  },
  unreadable: {
    // A folder in its place: file modes do not keep out a test that runs as root.
    cause: (directory) => {
      rmSync(directory.file());
      mkdirSync(directory.file());
    },
    says: /cannot be read \(EISDIR\)/,
  },
};

async function withStoredKey(t: TestContext): Promise<DataDirectory> {
  const directory = new DataDirectory(t);
  await directory.open().store(A, 'sk-secret');
  return directory;
}

function contentOf(directory: DataDirectory): string {
  return statSync(directory.file()).isDirectory() ? 'a folder' : directory.read();
}

describe('a credential file that is', () => {
  for (const [what, { cause, says }] of Object.entries(faults))
    test(`${what} is refused with what to do, and never overwritten`, async (t) => {
      const directory = await withStoredKey(t);
      cause(directory);
      const before = contentOf(directory);
      const credentials = directory.open();
      assert.equal((await credentials.keys()).size, 0);
      const attempts = {
        check: () => credentials.check(),
        store: () => credentials.store(A, 'sk-newer'),
        remove: () => credentials.remove(A),
        clear: () => credentials.clear(),
      };
      for (const [name, attempt] of Object.entries(attempts))
        await assert.rejects(attempt, (error) => {
          assert(isHarkError(error, 'CREDENTIALS_UNAVAILABLE'), name);
          assert.match(error.message, says, name);
          assert.doesNotMatch(error.message, /sk-|\/tmp/);
          return true;
        });
      assert.equal(contentOf(directory), before);
    });
});

test('keys that were read before a fault go on counting, and the mended file counts at once', async (t) => {
  const directory = await withStoredKey(t);
  const good = directory.read();
  const credentials = directory.open();
  await credentials.keys();
  directory.write(good.slice(1));
  await assert.rejects(credentials.check());
  assert.equal((await credentials.keys()).get(A), 'sk-secret');
  directory.write(good);
  await credentials.check();
  assert.equal(await credentials.store(A, 'sk-newer'), 'rotated');
});

test('a data directory that cannot be made is said, and nothing is kept', async (t) => {
  const directory = new DataDirectory(t);
  directory.write('', 'a-file');
  const credentials = directory.open({ directory: directory.file('a-file') });
  await assert.rejects(credentials.store(A, 'sk-secret'), /make it writable/);
  assert.equal((await credentials.keys()).size, 0);
});
