/** A part of what a tool gave, in the shapes of MCP. */
export type ToolPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string }
  | { readonly type: 'resource_link'; readonly uri: string; readonly name: string }
  | {
      readonly type: 'resource';
      readonly resource:
        | { readonly uri: string; readonly mimeType?: string; readonly text: string }
        | { readonly uri: string; readonly mimeType?: string; readonly blob: string };
    };

/** What a tool gave that is more than a text: models read what of it is text, and what the rest is. */
export class ToolParts {
  readonly parts: readonly ToolPart[];
  /** The same as data, as the tool's output schema says. */
  readonly structured: unknown;

  constructor(parts: readonly ToolPart[], structured?: unknown) {
    this.parts = parts;
    this.structured = structured;
  }

  get text(): string {
    if (this.parts.length === 0) return this.structured === undefined ? '' : JSON.stringify(this.structured);
    return this.parts.map(textOf).join('\n');
  }
}

function textOf(part: ToolPart): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'image':
    case 'audio':
      return `[${part.type}: ${part.mimeType}]`;
    case 'resource_link':
      return `[${part.name}: ${part.uri}]`;
    case 'resource':
      return 'text' in part.resource ? part.resource.text : `[resource: ${part.resource.uri}]`;
  }
}

const DEEPEST = 200;

/**
 * What a tool gave, as text that a model can read: at most `most` characters and a note about the rest. The work
 * is bounded too, whatever a tool gives: megabytes of JSON are never written.
 */
export function readable(output: unknown, most: number): string {
  if (output instanceof ToolParts) return readable(output.text, most);
  if (output === undefined) return '(no output)';
  if (typeof output !== 'string') return readableJson(output, most);
  if (output.length <= most) return output.toWellFormed();
  const kept = cut(output, most);
  const left = (output.length - kept.length).toLocaleString('en-US');
  return `${kept.toWellFormed()}\n[Cut here: ${left} more characters]`;
}

function readableJson(output: unknown, most: number): string {
  const json = new BoundedJson(most);
  const isWritten = json.write(output, 0);
  if (!isWritten) return '(no output)';
  if (json.text.length <= most) return json.text;
  return `${cut(json.text, most)}\n[Cut here: longer than ${most.toLocaleString('en-US')} characters]`;
}

/** Never through the middle of a character. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const isHalf = /[\uD800-\uDBFF]/.test(text.charAt(most - 1));
  return text.slice(0, isHalf ? most - 1 : most);
}

/** Writes what `JSON.stringify` would, and stops soon after `most` characters. */
class BoundedJson {
  readonly #most: number;
  text = '';

  constructor(most: number) {
    this.#most = most;
  }

  /** False for what JSON leaves out. */
  write(given: unknown, depth: number): boolean {
    const value = standInFor(given);
    if (depth > DEEPEST) throw new TypeError('Nested too deeply, or circular');
    if (typeof value === 'string') {
      this.text += JSON.stringify(cut(value, this.#most));
      return true;
    }
    if (typeof value !== 'object' || value === null) {
      const text = JSON.stringify(value);
      this.text += text ?? '';
      return text !== undefined;
    }
    if (Array.isArray(value)) this.#writeList(value, depth);
    else this.#writeObject(value, depth);
    return true;
  }

  get #isFull(): boolean {
    return this.text.length > this.#most;
  }

  #writeList(list: readonly unknown[], depth: number): void {
    this.text += '[';
    for (let index = 0; index < list.length && !this.#isFull; index++) {
      if (index > 0) this.text += ',';
      if (!this.write(list[index], depth + 1)) this.text += 'null';
    }
    this.text += ']';
  }

  #writeObject(value: object, depth: number): void {
    this.text += '{';
    let isFirst = true;
    for (const [key, member] of Object.entries(value)) {
      if (this.#isFull) break;
      const before = this.text;
      this.text += `${isFirst ? '' : ','}${JSON.stringify(key)}:`;
      if (this.write(member, depth + 1)) isFirst = false;
      else this.text = before;
    }
    this.text += '}';
  }
}

function standInFor(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('toJSON' in value)) return value;
  return typeof value.toJSON === 'function' ? value.toJSON() : value;
}
