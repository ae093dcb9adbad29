import { encodeQR } from 'qr';

/** For pages. */
export function qrAsSvg(text: string): string {
  return encodeQR(text, 'svg');
}

/** For terminals, two rows a line. */
export function qrAsBlocks(text: string): string {
  return encodeQR(text, 'ascii');
}
