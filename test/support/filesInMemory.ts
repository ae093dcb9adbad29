import type { MediaFiles } from '../../src/application/capture/ports.ts';
import { Witness } from './sagas.ts';

/** Files that a test can look at. */
export class FilesInMemory implements MediaFiles {
  readonly kept = new Map<string, Uint8Array>();
  readonly removals = new Witness<readonly string[]>();

  async write(_userId: string, segmentId: string, bytes: Uint8Array) {
    this.kept.set(segmentId, bytes);
  }
  async read(_userId: string, segmentId: string) {
    const bytes = this.kept.get(segmentId);
    return bytes && Buffer.from(bytes);
  }
  async remove(_userId: string, segmentIds: readonly string[]) {
    for (const id of segmentIds) this.kept.delete(id);
    this.removals.add(segmentIds);
  }
  async sweep() {}
}
