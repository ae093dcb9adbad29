const FIRST_BYTES = 2_048;
const FIRST_ROOM = 64;
const NEWLINE = 10;
/** Of as many places as names, half as many again would be tried before the right one. */
const PLACES_A_NAME = 2;

/**
 * Ids in the order in which they came, and where each of them is. They lie as bytes beside the heap, one after the
 * other, each followed by a line feed: of a hundred thousand, strings and a map of them would take more than twice
 * the room, and each collection of garbage would look at all of them.
 */
export class TaskIds {
  #bytes: Buffer = Buffer.allocUnsafeSlow(FIRST_BYTES);
  #used = 0;
  /** Behind the line feed of each. */
  #ends = new Uint32Array(FIRST_ROOM);
  #size = 0;
  /** By hash, one more than where an id is; zero where there is none. Whoever finds another one looks at the next. */
  #places = new Int32Array(FIRST_ROOM * PLACES_A_NAME);

  /** Of what `toString` gave. */
  static from(lines: string): TaskIds {
    const ids = new TaskIds();
    if (lines === '') return ids;
    ids.#makeRoom(Buffer.byteLength(lines) + 1);
    const end = ids.#write(lines);
    for (let at = 0; at < end; at++) if (ids.#bytes[at] === NEWLINE) ids.#enter(at + 1);
    return ids;
  }

  toString(): string {
    return this.#bytes.toString('utf8', 0, Math.max(0, this.#used - 1));
  }

  get size(): number {
    return this.#size;
  }

  at(index: number): string {
    if (index >= this.#size) return '';
    return this.#bytes.toString('utf8', this.#begin(index), this.#end(index) - 1);
  }

  find(id: string): number | undefined {
    const noted = this.#noted(this.#placeFor(this.#used, this.#write(id)));
    return noted === 0 ? undefined : noted - 1;
  }

  /** Returns where it is. */
  add(id: string): number {
    this.#enter(this.#write(id));
    return this.#size - 1;
  }

  /** Behind the last, where it is none of them yet. Returns the end of it. */
  #write(text: string): number {
    this.#makeRoom(this.#used + Buffer.byteLength(text) + 1);
    const end = this.#used + this.#bytes.write(text, this.#used);
    this.#bytes[end] = NEWLINE;
    return end + 1;
  }

  /** What was written up to this end is one of them from now on. */
  #enter(end: number): void {
    if (this.#size === this.#ends.length) this.#growEnds();
    if (PLACES_A_NAME * (this.#size + 1) > this.#places.length) this.#growPlaces();
    const place = this.#placeFor(this.#used, end);
    this.#ends[this.#size++] = end;
    this.#places[place] = this.#size;
    this.#used = end;
  }

  /** Where the id between these bytes is noted, or would be. */
  #placeFor(from: number, end: number): number {
    const last = this.#places.length - 1;
    for (let place = this.#hash(from, end) & last; ; place = (place + 1) & last) {
      const noted = this.#noted(place);
      if (noted === 0 || this.#isSame(noted - 1, from, end)) return place;
    }
  }

  /** One more than the index of what is noted there; zero for nothing. */
  #noted(place: number): number {
    return this.#places[place] ?? 0;
  }

  /** FNV-1a. Its low bits tell apart the parts that the tables are; they alone would have a table's ids meet. */
  #hash(from: number, end: number): number {
    let hash = 0x811c9dc5;
    for (let at = from; at < end; at++) hash = Math.imul(hash ^ (this.#bytes[at] ?? 0), 0x01000193);
    return hash ^ (hash >>> 15);
  }

  #isSame(index: number, from: number, end: number): boolean {
    const begin = this.#begin(index);
    if (this.#end(index) - begin !== end - from) return false;
    for (let at = from; at < end; at++) if (this.#bytes[at] !== this.#bytes[begin + at - from]) return false;
    return true;
  }

  #begin(index: number): number {
    return index === 0 ? 0 : this.#end(index - 1);
  }

  #end(index: number): number {
    return this.#ends[index] ?? 0;
  }

  #makeRoom(bytes: number): void {
    if (bytes <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(bytes, Math.ceil(this.#bytes.length * 1.5)));
    this.#bytes.copy(larger, 0, 0, this.#used);
    this.#bytes = larger;
  }

  #growEnds(): void {
    const larger = new Uint32Array(Math.ceil(this.#ends.length * 1.5));
    larger.set(this.#ends);
    this.#ends = larger;
  }

  #growPlaces(): void {
    this.#places = new Int32Array(2 * this.#places.length);
    for (let index = 0; index < this.#size; index++)
      this.#places[this.#placeFor(this.#begin(index), this.#end(index))] = index + 1;
  }
}
