import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { isHarkError } from '../../../src/errors.ts';
import { MediaFolder } from '../../../src/gateways/capture/mediaFolder.ts';
import { SecretBox } from '../../../src/gateways/credentials/secretBox.ts';
import { temporaryFolder } from '../../support/dataDirectory.ts';

const SOUND = Buffer.from('RIFF of a kitchen');

describe('recordings in files', () => {
  const directory = temporaryFolder('media');
  const folderIn = (name: string, enforceSalt: boolean) => {
    const folder = join(directory, name);
    return new MediaFolder({ folder, box: new SecretBox({ directory, enforceSalt }) });
  };

  it('say what is missing where they cannot be encrypted, and leave nothing', async () => {
    await assert.rejects(folderIn('unsalted', true).write('ann', 's1', SOUND), (error) => {
      assert.ok(isHarkError(error, 'CAPTURE_UNAVAILABLE'));
      assert.match(error.message, /^Recordings cannot be encrypted: .*SERVICE_CREDENTIAL_SALT/);
      return true;
    });
    assert.ok(!readdirSync(directory).includes('unsalted'));
  });

  it('are read back by the name under which they were written, and by no other', async () => {
    const media = folderIn('salted', false);
    await media.write('ann', 's1', SOUND);
    assert.deepEqual(await media.read('ann', 's1'), SOUND);
    assert.equal(await media.read('ann', 's2'), undefined);
    assert.equal(await media.read('ben', 's1'), undefined);
    await media.remove('ann', ['s1']);
    assert.equal(await media.read('ann', 's1'), undefined);
  });

  it('of a megabyte are read back, brought again too, and leave who wrote them their bytes', async () => {
    const media = folderIn('large', false);
    const sound = Buffer.alloc(1_048_576, 'a kitchen');
    const given = Buffer.from(sound);
    await media.write('ann', 's1', given);
    await media.write('ann', 's1', given);
    assert.ok(given.equals(sound));
    assert.ok((await media.read('ann', 's1'))?.equals(sound));
  });
});
