import { crc32, deflateSync, inflateSync } from 'node:zlib';

/*
 * A screenshot of the dashboard has few colours, and weighs a third when it names each once.
 */

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const MOST_COLOURS = 256;
const COARSE = 0xe0e0e0;
const HEADER = { length: 13, depth: 8, depthAt: 8, kindAt: 9, rgb: 2, rgba: 6, indexed: 3 } as const;

/** The same picture with at most 256 colours; each other one becomes the nearest of them. */
export function indexedPng(png: Buffer): Buffer {
  const { width, height, pixels } = pixelsOf(png);
  const counts = new Map<number, number>();
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  const palette = paletteOf(counts);
  const places = new Map(palette.map((colour, place) => [colour, place]));
  const rows = Buffer.alloc((width + 1) * height);
  pixels.forEach((colour, index) => {
    let place = places.get(colour);
    if (place === undefined) {
      place = nearest(palette, colour);
      places.set(colour, place);
    }
    rows[index + Math.floor(index / width) + 1] = place;
  });
  const header = Buffer.alloc(HEADER.length);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[HEADER.depthAt] = HEADER.depth;
  header[HEADER.kindAt] = HEADER.indexed;
  const colours = Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', colours),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** First one of each kind of colour, so that the few green letters stay green; then those that are seen most. */
function paletteOf(counts: ReadonlyMap<number, number>): readonly number[] {
  const colours = Array.from(counts)
    .toSorted(([, one], [, other]) => other - one)
    .map(([colour]) => colour);
  const kinds = new Map(colours.toReversed().map((colour) => [colour & COARSE, colour]));
  const firsts = colours.filter((colour) => kinds.get(colour & COARSE) === colour);
  return Array.from(new Set([...firsts, ...colours])).slice(0, MOST_COLOURS);
}

function nearest(palette: readonly number[], colour: number): number {
  const apart = (other: number) =>
    [16, 8, 0].reduce((sum, shift) => sum + (((colour >> shift) & 255) - ((other >> shift) & 255)) ** 2, 0);
  return palette.reduce((best, other, place) => (apart(other) < apart(palette[best] ?? 0) ? place : best), 0);
}

/** As Chromium writes them: eight bits for a colour, row by row. */
function pixelsOf(png: Buffer): { width: number; height: number; pixels: Uint32Array } {
  const parts: Buffer[] = [];
  let header = Buffer.alloc(0);
  for (let at = SIGNATURE.length; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    const data = png.subarray(at + 8, at + 8 + length);
    if (type === 'IHDR') header = Buffer.from(data);
    if (type === 'IDAT') parts.push(data);
    at += length + 12;
  }
  const [width, height, kind] = [header.readUInt32BE(0), header.readUInt32BE(4), header[HEADER.kindAt]];
  if (header[HEADER.depthAt] !== HEADER.depth || (kind !== HEADER.rgb && kind !== HEADER.rgba))
    throw new Error('This is no PNG of eight bits with three or four channels');
  const channels = kind === HEADER.rgb ? 3 : 4;
  const bytes = unfiltered(inflateSync(Buffer.concat(parts)), width * channels, channels);
  const pixels = Uint32Array.from({ length: width * height }, (_, index) =>
    bytes.readUIntBE(index * channels, 3),
  );
  return { width, height, pixels };
}

/** Each row says how its bytes follow from those to the left, above, and left above. */
function unfiltered(raw: Buffer, wide: number, channels: number): Buffer {
  const height = raw.length / (wide + 1);
  const bytes = Buffer.alloc(wide * height);
  for (let row = 0; row < height; row++) {
    const filter = raw[row * (wide + 1)] ?? 0;
    for (let column = 0; column < wide; column++) {
      const here = row * wide + column;
      const left = column < channels ? 0 : (bytes[here - channels] ?? 0);
      const above = row === 0 ? 0 : (bytes[here - wide] ?? 0);
      const corner = row === 0 || column < channels ? 0 : (bytes[here - wide - channels] ?? 0);
      const guess = [0, left, above, (left + above) >> 1, paeth(left, above, corner)][filter] ?? 0;
      bytes[here] = (raw[row * (wide + 1) + 1 + column] ?? 0) + guess;
    }
  }
  return bytes;
}

function paeth(left: number, above: number, corner: number): number {
  const guess = left + above - corner;
  const [toLeft, toAbove, toCorner] = [left, above, corner].map((one) => Math.abs(guess - one)) as [
    number,
    number,
    number,
  ];
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
