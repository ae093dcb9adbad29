import assert from 'node:assert/strict';
import { setImmediate as breath } from 'node:timers/promises';
import { type EventReader, EventReader as Events, type ServiceUnderTest } from '../support/service.ts';

/** A tenth of a second of silence. */
export const WAVE = wave(3_200).toString('base64');
/** One dot. */
export const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

function wave(bytes: number): Buffer {
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + bytes, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(16_000, 24);
  header.writeUInt32LE(32_000, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36);
  header.writeUInt32LE(bytes, 40);
  return Buffer.concat([header, Buffer.alloc(bytes)]);
}

/** Captures for one user, as a device of theirs would. */
export class CaptureClient {
  readonly id: string;
  readonly #service: ServiceUnderTest;
  readonly #headers: Record<string, string>;

  constructor(service: ServiceUnderTest, id: string) {
    this.#service = service;
    this.id = id;
    this.#headers = { 'x-user-id': id };
  }

  get(path: string) {
    return this.#service.get(path, this.#headers);
  }

  ask(method: string, path: string, body?: unknown) {
    return this.#service.ask(method, path, { body, headers: this.#headers });
  }

  post(path: string, body: unknown) {
    return this.ask('POST', path, body);
  }

  put(path: string, body: unknown) {
    return this.ask('PUT', path, body);
  }

  consent(deviceId: string, consentLevel: string, more: object = {}) {
    return this.put('/api/capture/consent', { deviceId, enabled: true, consentLevel, ...more });
  }

  async start(
    deviceId: string,
    level: string,
    modalities: readonly string[] = ['audio'],
    captureMode = 'active-participant',
  ): Promise<string> {
    assert.equal((await this.consent(deviceId, level)).status, 200);
    const started = await this.post('/api/capture/start', { deviceId, modalities, captureMode });
    assert.equal(started.status, 201, started.text);
    return String(started.body.streamId);
  }

  segment(streamId: string, given: object) {
    const facts = { modality: 'audio', startedAt: 1, durationMs: 1_000 };
    return this.post(`/api/capture/streams/${streamId}/segments`, { ...facts, ...given });
  }

  /** Listens from now on; gives the data of the next event of that type. */
  async topic(type: string): Promise<() => Promise<Record<string, unknown>>> {
    const url = `${this.#service.url}/api/events/stream?topics=${type}`;
    const reader: EventReader = await Events.open(url, this.#headers);
    return async () => {
      const message = await reader.next();
      assert.ok(message?.data, 'the stream of events ended');
      reader.close();
      return JSON.parse(message.data).data;
    };
  }

  /** What follows an event in the same process is there after some rounds of its loop. */
  async until(holds: () => boolean): Promise<void> {
    for (let rounds = 0; rounds < 10_000 && !holds(); rounds++) await breath();
    assert.ok(holds());
  }
}
