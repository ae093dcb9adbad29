/*
 * A large value as JSON in pieces, so that whoever writes or reads it lets others in between. A line is a piece:
 *
 *   the whole, with nothing in its large objects and lists
 *   [path to one of these, [name, value, name, value …]]        some hundred names of an object
 *   [path to one of these, [element, element …]]                some hundred elements of a list
 */

/** What has more of them is large. */
const MOST_ENTRIES = 200;
/** Of a piece, so that it takes a fraction of a millisecond. */
const ENTRIES_AT_ONCE = 100;
/** So deep what is large is looked for: states hold records of small things, sometimes by model or user. */
const DEEPEST = 4;

type Container = Record<string, unknown> | unknown[];
type Path = readonly (string | number)[];

interface Large {
  readonly path: Path;
  readonly container: Container;
  readonly keys: readonly string[];
}

/** Without line breaks. The value has to stay as it is until the last of them is drawn. */
export function* piecesOf(value: unknown): Generator<string> {
  const large: Large[] = [];
  yield JSON.stringify(hollow(value, [], large)) ?? 'null';
  for (const { path, container, keys } of large) {
    for (let from = 0; from < keys.length; from += ENTRIES_AT_ONCE)
      yield JSON.stringify([path, entriesOf(container, keys.slice(from, from + ENTRIES_AT_ONCE))]);
  }
}

function entriesOf(container: Container, keys: readonly string[]): readonly unknown[] {
  if (Array.isArray(container)) return keys.map((index) => container[Number(index)]);
  const entries: unknown[] = [];
  for (const name of keys) {
    const value = container[name];
    // As everywhere in JSON, what is undefined is not there.
    if (value !== undefined) entries.push(name, value);
  }
  return entries;
}

/** The same, with nothing in what is large: that is noted. */
function hollow(value: unknown, path: Path, large: Large[]): unknown {
  if (!isContainer(value) || path.length > DEEPEST) return value;
  const keys = Object.keys(value);
  if (keys.length > MOST_ENTRIES) {
    large.push({ path, container: value, keys });
    return Array.isArray(value) ? [] : {};
  }
  if (Array.isArray(value)) return value.map((element, index) => hollow(element, [...path, index], large));
  return Object.fromEntries(keys.map((name) => [name, hollow(value[name], [...path, name], large)]));
}

function isContainer(value: unknown): value is Container {
  return Array.isArray(value) || isRecord(value);
}

/** Plain ones: what makes its JSON itself does so as a whole. */
function isRecord(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  return Object.getPrototypeOf(value) === Object.prototype && !('toJSON' in value);
}

/** Puts together what was taken apart; throws where that is no such thing. */
export class Assembly {
  #whole: { readonly value: unknown } | undefined;

  add(piece: string): void {
    const parsed: unknown = JSON.parse(piece);
    if (!this.#whole) {
      this.#whole = { value: parsed };
      return;
    }
    const [path, entries] = asPart(parsed);
    const container = path.reduce(childOf, this.#whole.value);
    if (Array.isArray(container)) for (const element of entries) container.push(element);
    else if (isRecord(container)) putInto(container, entries);
    else throw new TypeError('Nothing exists at this path');
  }

  get value(): unknown {
    if (!this.#whole) throw new TypeError('There is no piece');
    return this.#whole.value;
  }
}

function asPart(parsed: unknown): readonly [Path, readonly unknown[]] {
  if (Array.isArray(parsed) && Array.isArray(parsed[0]) && Array.isArray(parsed[1]))
    return [parsed[0], parsed[1]];
  throw new TypeError('That is no piece');
}

function childOf(parent: unknown, step: string | number): unknown {
  return isContainer(parent) && Object.hasOwn(parent, step) ? Reflect.get(parent, step) : undefined;
}

function putInto(container: Record<string, unknown>, entries: readonly unknown[]): void {
  for (let index = 0; index + 1 < entries.length; index += 2) {
    const name = String(entries[index]);
    const value = entries[index + 1];
    // What has this name would have another prototype by mere assignment.
    if (name === '__proto__')
      Object.defineProperty(container, name, { value, enumerable: true, configurable: true, writable: true });
    else container[name] = value;
  }
}
