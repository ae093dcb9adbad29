export interface SseMessage {
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

/** Server-sent events out of text that arrives in pieces. A message counts once the empty line after it is there. */
export class SseParser {
  #rest = '';
  #id = '';
  #event = '';
  #data: string[] = [];
  #lastId: string | undefined;

  /** Where to go on after a lost connection. It moves with messages, and with ids that are sent alone. */
  get lastId(): string | undefined {
    return this.#lastId;
  }

  *push(chunk: string): Generator<SseMessage> {
    const lines = (this.#rest + chunk).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line !== '') {
        this.#take(line);
        continue;
      }
      this.#lastId = this.#id || this.#lastId;
      if (this.#data.length > 0) yield this.#finish();
      else this.#event = '';
    }
  }

  #take(line: string): void {
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'data') this.#data.push(value);
    else if (name === 'event') this.#event = value;
    else if (name === 'id') this.#id = value;
  }

  #finish(): SseMessage {
    const message = { id: this.#id, event: this.#event || 'message', data: this.#data.join('\n') };
    this.#event = '';
    this.#data = [];
    return message;
  }
}
