import { createHash } from 'node:crypto';
import type { BesideLog, KeptKey, RawEvent } from './adapter.ts';

/** Over everything that a backup holds, in an order that does not depend on where it lay. */
export class BackupDigest {
  readonly #hash = createHash('sha256');

  addEvents(events: readonly RawEvent[]): void {
    for (const { sealed, ...plain } of events) {
      this.#hash.update(JSON.stringify(FIELDS.map((field) => plain[field])));
      if (sealed) this.#hash.update(sealed);
    }
  }

  addBeside({ meta, cursors, commands }: BesideLog): void {
    const rows = [
      ...Object.entries(meta).map((entry) => JSON.stringify(['meta', ...entry])),
      ...cursors.map(({ name, position }) => JSON.stringify(['cursor', name, position])),
      ...commands.map(({ id, ...gave }) =>
        JSON.stringify(['command', id, gave.position, gave.version, gave.at]),
      ),
    ];
    for (const row of rows.sort()) this.#hash.update(row);
  }

  addKeys(keys: readonly KeptKey[]): void {
    const rows = keys.map(({ userId, subject, bytes }) =>
      JSON.stringify(['key', userId, subject, Buffer.from(bytes).toString('hex')]),
    );
    for (const row of rows.sort()) this.#hash.update(row);
  }

  end(): string {
    return this.#hash.digest('hex');
  }
}

const FIELDS = [
  'position',
  'stream',
  'version',
  'type',
  'schema',
  'at',
  'userId',
  'correlationId',
  'causationId',
  'subject',
  'data',
] as const satisfies readonly (keyof RawEvent)[];
