/** Cuts what comes over the network into the frames of a protocol, each the text of one JSON value. */
export interface Frames {
  /** Adds to `frames` those that the text ends. What it only begins waits for more. */
  push(text: string, frames: string[]): void;
  /** Adds what counts as a frame although nothing more comes. */
  end(frames: string[]): void;
  /** How much waits. */
  readonly pending: number;
}

/**
 * The data of server-sent events. Their names are left out, because everything that these providers send says what
 * it is itself; so are comments, and lines that a proxy may have written.
 */
export class EventFrames implements Frames {
  #line = '';
  #data: string | undefined;
  #afterReturn = false;

  get pending(): number {
    return this.#line.length + (this.#data?.length ?? 0);
  }

  push(text: string, frames: string[]): void {
    this.#line += this.#withLineFeeds(text);
    let start = 0;
    for (let end = this.#line.indexOf('\n'); end !== -1; end = this.#line.indexOf('\n', start)) {
      this.#take(start, end, frames);
      start = end + 1;
    }
    this.#line = this.#line.slice(start);
  }

  /** An event that was not ended was not sent. */
  end(): void {}

  #take(start: number, end: number, frames: string[]): void {
    if (start === end) {
      if (this.#data) frames.push(this.#data);
      this.#data = undefined;
    } else if (this.#line.startsWith('data:', start)) {
      const from = this.#line.startsWith(' ', start + 5) ? start + 6 : start + 5;
      const data = this.#line.slice(from, end);
      this.#data = this.#data === undefined ? data : `${this.#data}\n${data}`;
    }
  }

  /** A line may end with a return as well, or with both, of which only one may have come yet. */
  #withLineFeeds(text: string): string {
    const rest = this.#afterReturn && text.startsWith('\n') ? text.slice(1) : text;
    this.#afterReturn = rest.endsWith('\r');
    return rest.includes('\r') ? rest.replaceAll(/\r\n?/g, '\n') : rest;
  }
}

/** One frame a line. */
export class LineFrames implements Frames {
  #line = '';

  get pending(): number {
    return this.#line.length;
  }

  push(text: string, frames: string[]): void {
    this.#line += text;
    let start = 0;
    for (let end = this.#line.indexOf('\n'); end !== -1; end = this.#line.indexOf('\n', start)) {
      if (end > start) frames.push(this.#line.slice(start, end));
      start = end + 1;
    }
    this.#line = this.#line.slice(start);
  }

  /** The last line may do without its end. */
  end(frames: string[]): void {
    if (this.#line.trim() !== '') frames.push(this.#line);
  }
}
