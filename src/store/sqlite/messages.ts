import type { BesideLog, KeptKey, KeyUse, RawEvent, RawSnapshot } from '../adapter.ts';
import type { Cursor, Lease, SnapshotKey } from '../port.ts';
import type { PackedAppends, PackedResults } from './packing.ts';

export interface WriterData {
  readonly file: string;
  /** Not one that takes the place of another of this process, which has the log open and holds its leases. */
  readonly isFirst: boolean;
}

/** What the writer does beside appending, by name: each in a transaction of its own. */
export interface WriterCalls {
  writeMeta(entries: Record<string, string>): void;
  saveSnapshot(key: SnapshotKey, snapshot: RawSnapshot, sealedWith: KeyUse | null): boolean;
  moveCursor(name: string, from: Cursor, to: number): Cursor | undefined;
  acquireLease(name: string, holder: string, ttlMs: number): Lease | undefined;
  releaseLease(lease: Lease): void;
  importEvents(events: readonly RawEvent[]): void;
  importBeside(beside: BesideLog, keys: readonly KeptKey[]): void;
}

export type Request =
  | { readonly kind: 'appends'; readonly id: number; readonly appends: PackedAppends }
  | {
      readonly kind: 'call';
      readonly id: number;
      readonly name: keyof WriterCalls;
      readonly args: readonly unknown[];
    }
  | { readonly kind: 'close'; readonly id: number };

export type Reply =
  | { readonly kind: 'opened' }
  | {
      readonly kind: 'appended';
      readonly id: number;
      readonly results: PackedResults;
      /** How far streams can be found by the index. */
      readonly indexedUntil: number;
    }
  | { readonly kind: 'answered'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failed'; readonly id: number; readonly code: string; readonly message: string };
