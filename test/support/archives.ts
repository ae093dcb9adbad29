import { spawnSync } from 'node:child_process';
import { Random } from './random.ts';

/** Why there is none; false where there is. For the option `skip`. */
export const noBzip2: string | false =
  spawnSync('bzip2', ['--help']).error === undefined ? false : 'bzip2 is not installed';

export function packBzip2(content: Uint8Array, level = 1): Buffer {
  const { stdout, status } = spawnSync('bzip2', [`-${level}`, '-c'], { input: content, maxBuffer: 1 << 30 });
  if (status !== 0) throw new Error('bzip2 failed');
  return stdout;
}

export interface Packed {
  readonly name: string;
  readonly content?: string | Uint8Array;
  /** As tar writes it: 0 a file, 5 a folder, 2 a symbolic link, 3 a device … */
  readonly type?: string;
  readonly link?: string;
}

/** As tar writes it, also with names that tar would refuse. */
export function tarOf(entries: readonly Packed[]): Buffer {
  const blocks = entries.flatMap(({ name, content = '', type = '0', link = '' }) => {
    const bytes = Buffer.from(content);
    const long =
      Buffer.byteLength(name) > 100
        ? [header('././@LongLink', Buffer.byteLength(name), 'L'), padded(Buffer.from(name))]
        : [];
    return [...long, header(name, bytes.length, type, link), padded(bytes)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1_024)]);
}

export function tarBz2Of(entries: readonly Packed[]): Buffer {
  return packBzip2(tarOf(entries));
}

function header(name: string, size: number, type: string, link = ''): Buffer {
  const block = Buffer.alloc(512);
  block.write(name, 0, 100);
  block.write('0000644\0', 100);
  block.write('0000000\0', 108);
  block.write('0000000\0', 116);
  block.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  block.write('00000000000\0', 136);
  block.write('        ', 148);
  block.write(type, 156);
  block.write(link, 157, 100);
  block.write('ustar\x0000', 257);
  const sum = block.reduce((all, byte) => all + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

function padded(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]);
}

/** Bytes that do not get smaller. */
export function noise(length: number, seed: number): Buffer {
  const random = new Random(seed);
  return Buffer.from(Uint8Array.from({ length }, () => random.whole(0, 256)));
}
