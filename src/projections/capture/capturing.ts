import { captureEvents, captureStream, readCaptureEvent } from '../../events/capture.ts';
import { memoryErased } from '../../events/memory.ts';
import type { StoredEvent } from '../../store/storedEvent.ts';
import { defineProjection } from '../projection.ts';

interface Open {
  /** Streams that run. */
  readonly streams: string[];
  /** Episodes that are yet to be made of words. */
  readonly batches: string[];
  /** Segments that lie in files. */
  readonly media: string[];
}

export interface Capturing {
  /** A user may be called `__proto__`, a stream of the log not. */
  readonly byStream: Record<string, Open & { readonly userId: string }>;
}

/** Of whom something is being captured, or waits to be words or an episode. */
export const capturing = defineProjection({
  name: 'capture.capturing',
  version: 1,
  handles: [...captureEvents, memoryErased],
  initial: (): Capturing => ({ byStream: {} }),
  apply({ byStream }, event) {
    const userId = event.owner;
    const stream = captureStream(userId);
    const open = byStream[stream] ?? { userId, streams: [], batches: [], media: [] };
    // No word can be read any more.
    if (event.type === memoryErased.type) open.batches.length = 0;
    else change(open, event);
    const isNothing = [open.streams, open.batches, open.media].every(({ length }) => length === 0);
    if (isNothing) delete byStream[stream];
    else byStream[stream] = open;
  },
});

function change({ streams, batches, media }: Open, stored: StoredEvent): void {
  // What it says stays closed.
  const data = stored.isOpen ? stored.data : stored.sealed.data;
  const event = readCaptureEvent({ type: stored.type, data });
  switch (event?.type) {
    case 'capture.consent.narrowed':
    case 'capture.consent.revoked':
      drop(media, ...event.data.dropped);
      break;
    case 'capture.stream.started':
      add(streams, event.data.streamId);
      break;
    case 'capture.stream.stopped':
      drop(streams, event.data.streamId);
      break;
    case 'capture.segment.kept':
      add(batches, event.data.episodeId);
      break;
    case 'capture.segment.sealed':
      add(media, event.data.segmentId);
      break;
    case 'capture.segment.transcribed':
      add(batches, event.data.episodeId);
      break;
    case 'capture.segment.dropped':
      drop(media, event.data.segmentId);
      break;
    case 'capture.media.erased':
      drop(media, ...event.data.segmentIds);
      break;
    case 'capture.words.settled':
      drop(batches, event.data.episodeId);
      break;
    case 'capture.forgotten':
      drop(batches, ...event.data.episodeIds);
      drop(media, ...event.data.segmentIds);
      break;
    default:
  }
}

function add(ids: string[], id: string): void {
  if (!ids.includes(id)) ids.push(id);
}

function drop(ids: string[], ...gone: readonly string[]): void {
  for (const id of gone) {
    const place = ids.indexOf(id);
    if (place !== -1) ids.splice(place, 1);
  }
}
