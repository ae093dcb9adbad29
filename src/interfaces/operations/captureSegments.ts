import { z } from 'zod';
import { type Segment, type SegmentIntake, tooLarge } from '../../application/capture/intake.ts';
import type { SegmentMaterial } from '../../application/capture/ports.ts';
import { HarkError } from '../../errors.ts';
import { lazily } from '../../lazily.ts';
import { letGo } from '../../letGo.ts';
import { captureModalities } from '../../vocabulary.ts';
import type { InContext } from '../kvstore.ts';
import { newIdFor } from '../newId.ts';
import { defineOperation, id } from '../operation.ts';

/** So much as base64, with what stands around it. */
const MOST_BODY_BYTES = 1_572_864;
const MOST_CONTENT = 1_500_000;
const MOST_TEXT = 20_000;
const MOST_VALUES = 65_536;
const LONGEST_SEGMENT_MS = 60 * 60_000;

/** As text, or as the bytes of the body that it came in. */
const base64 = lazily(() =>
  z
    .custom<string | Uint8Array>(
      (given) => typeof given === 'string' || given instanceof Uint8Array,
      'must be a string',
    )
    .meta({ type: 'string' }),
);

const segmentInput = lazily(() =>
  z.object({
    streamId: id(),
    modality: z.enum(captureModalities),
    startedAt: z.int().nonnegative(),
    durationMs: z.int().nonnegative().max(LONGEST_SEGMENT_MS),
    speaker: z
      .string()
      .trim()
      .min(1)
      .max(60)
      .regex(/^[\p{L}\p{N} ._-]+$/u, 'must be letters, digits, spaces, dots, _ or -')
      .optional()
      .describe('`user`, or what else to call who speaks: nothing of theirs becomes a belief about the user'),
    mimeType: z.string().min(1).max(100).optional(),
    content: base64().optional().describe('Base64 of up to 1 MB of audio, or of a picture for `video`'),
    text: z.string().max(MOST_TEXT).optional().describe('Words, taken as they are'),
    values: z.array(z.number()).max(MOST_VALUES).optional().describe('Of `neural`'),
  }),
);

/** What is recorded comes by it, a segment at a time. */
export function segmentOperation(inContext: InContext, intake: Pick<SegmentIntake, 'take'>) {
  return defineOperation({
    name: 'capture.segment',
    area: 'capture',
    device: 'capture',
    summary: 'Brings a segment of what is recorded',
    description:
      'One of `text`, `content` with its `mimeType`, or `values`. `waiting`: sealed, until it is words; `done`: all ' +
      'that may be kept is kept; `dropped`: nothing is. At the level `passive` media are 503 while nothing here ' +
      'turns them into words. Secrets, card numbers and id numbers are masked before anything is written.',
    rest: {
      method: 'POST',
      path: '/api/capture/streams/:streamId/segments',
      status: 202,
      mostBodyBytes: MOST_BODY_BYTES,
      bytesField: 'content',
    },
    input: segmentInput,
    output: () => z.object({ segmentId: z.string(), state: z.enum(['waiting', 'done', 'dropped']) }),
    errors: [
      'CAPTURE_STREAM_UNKNOWN',
      'CAPTURE_STREAM_STOPPED',
      'CAPTURE_PAUSED',
      'CONSENT_MISSING',
      'DEVICE_SCOPE',
      'CONTENT_TOO_LARGE',
      'SEGMENT_TYPE_WRONG',
      'CAPTURE_NOT_UNDERSTOOD',
      'CAPTURE_UNAVAILABLE',
      'STORAGE_FULL',
    ],
    example: {
      input: { streamId: 'unknown', modality: 'audio', startedAt: 0, durationMs: 1_000, text: 'Hello' },
    },
    run: (input, caller) =>
      inContext(() => intake.take(segmentOf(input, newIdFor(caller)), caller, caller.device?.deviceId)),
  });
}

function segmentOf(
  { text, content, mimeType, values, ...facts }: z.output<ReturnType<typeof segmentInput>>,
  segmentId: string,
): Segment {
  const { modality: by } = facts;
  const given = [text, content, values].filter((one) => one !== undefined);
  if (given.length !== 1) throw invalid('text', 'exactly one of text, content and values is needed');
  if (text !== undefined) return { ...facts, segmentId, material: { is: 'text', text } };
  if (values !== undefined) {
    if (by !== 'neural') throw invalid('values', 'are of the modality neural');
    return { ...facts, segmentId, material: { is: 'values', values } };
  }
  if (by === 'neural') throw invalid('content', 'is of the modalities audio and video');
  if (mimeType === undefined) throw invalid('mimeType', 'is needed with content');
  return { ...facts, segmentId, material: mediaOf(bytesOf(content ?? ''), mimeType) };
}

const BASE64_SIGNS = 4;
const BASE64_BYTES = 3;
const PADDING = 0x3d;
/** Texts that are young when they are let go: large ones are old from the first, and slow to collect. */
const PIECE_SIGNS = 32_768;

function bytesOf(content: string | Uint8Array): Buffer {
  if (typeof content === 'string') return Buffer.from(content);
  return Buffer.from(content.buffer, content.byteOffset, content.length);
}

function mediaOf(content: Buffer, mimeType: string): SegmentMaterial {
  if (content.length > MOST_CONTENT) throw tooLarge();
  const padding = content.at(-1) !== PADDING ? 0 : content.at(-2) !== PADDING ? 1 : 2;
  const bytes = Buffer.allocUnsafeSlow(
    Math.floor(((content.length - padding) * BASE64_BYTES) / BASE64_SIGNS),
  );
  let written = 0;
  for (let from = 0; from < content.length; from += PIECE_SIGNS)
    written += bytes.write(content.toString('latin1', from, from + PIECE_SIGNS), written, 'base64');
  letGo(content);
  if (written !== bytes.length) throw invalid('content', 'must be base64');
  return { is: 'media', bytes, mimeType };
}

function invalid(field: string, message: string): HarkError {
  return new HarkError('VALIDATION_FAILED', { body: { issues: [{ path: [field], message }] } });
}
