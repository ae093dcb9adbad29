import { z } from 'zod';
import { HarkError } from '../../errors.ts';
import type { ImageType } from '../../vocabulary.ts';

/** A file as a client sends it. What it is, its bytes say and not its label. */
export const chatFile = z.object({
  content: z.string().describe('Base64'),
  mimeType: z.string().max(200),
  encoding: z.literal('base64').default('base64'),
});

export interface ReceivedImage {
  readonly mimeType: ImageType;
  readonly base64: string;
}

export function readImages(files: readonly z.output<typeof chatFile>[]): readonly ReceivedImage[] {
  return files.map(({ content }, index) => {
    const image = imageIn(content);
    if (!image) throw new HarkError('VALIDATION_FAILED', { body: { issues: [issueAt(index)] } });
    return image;
  });
}

/** Undefined for what is not one of the kinds that models take. */
export function imageIn(content: string): ReceivedImage | undefined {
  const bytes = Buffer.from(content, 'base64');
  const mimeType = typeOf(bytes);
  return mimeType && isBase64(content) ? { mimeType, base64: bytes.toString('base64') } : undefined;
}

function issueAt(index: number) {
  return { path: ['files', index, 'content'], message: 'Not a PNG, JPEG, GIF or WebP image in base64' };
}

function isBase64(text: string): boolean {
  return /^[A-Za-z0-9+/_-]+={0,2}$/.test(text.replace(/\s/g, ''));
}

const signatures: readonly (readonly [ImageType, (bytes: Buffer) => boolean])[] = [
  ['image/png', (bytes) => bytes.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))],
  ['image/jpeg', (bytes) => bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))],
  ['image/gif', (bytes) => /^GIF8[79]a/.test(bytes.toString('latin1', 0, 6))],
  ['image/webp', (bytes) => /^RIFF....WEBP/s.test(bytes.toString('latin1', 0, 12))],
];

function typeOf(bytes: Buffer): ImageType | undefined {
  return signatures.find(([, matches]) => matches(bytes))?.[0];
}
