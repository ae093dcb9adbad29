import assert from 'node:assert/strict';
import decodeQR from 'qr/decode.js';
import { describe, it } from 'vitest';
import { qrAsBlocks, qrAsSvg } from '../../../src/gateways/devices/qr.ts';

const text =
  'http://192.168.1.5:4102/#pair=Y2hvc2VuIGF0IHJhbmRvbQ&key=mF1sYmx1ZXMgYXJlIHRoZSBiZXN0IG9mIGFsbCBibHU';
const PIXELS = 6;

/** What a camera sees of a terminal that writes light on dark. */
function photographed(blocks: string): string {
  const lines = blocks.trimEnd().split('\n');
  const lit = lines.flatMap((line) => [
    Array.from(line, (block) => block === '█' || block === '▀'),
    Array.from(line, (block) => block === '█' || block === '▄'),
  ]);
  const width = (lit[0]?.length ?? 0) * PIXELS;
  const height = lit.length * PIXELS;
  const data = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const light = lit[Math.floor(y / PIXELS)]?.[Math.floor(x / PIXELS)] ? 255 : 0;
      data.set([light, light, light, 255], (y * width + x) * 4);
    }
  return decodeQR({ width, height, data });
}

describe('a QR code', () => {
  it('is read off a terminal as what was written', () => assert.equal(photographed(qrAsBlocks(text)), text));

  it('is a picture without a script', () => {
    assert.match(qrAsSvg(text), /^<svg /);
    assert.doesNotMatch(qrAsSvg(text), /script|href|onload/);
  });
});
