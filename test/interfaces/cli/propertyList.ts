export type Property = string | number | boolean | readonly Property[] | { readonly [key: string]: Property };

const TOKEN = /\s*(?:<(\/?)([a-z]+)( version="1\.0")?(\/?)>|([^<]+))/y;
const HEAD =
  '<?xml version="1.0" encoding="UTF-8"?>\n' +
  '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">\n';
const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };

/** Reads a list of properties as Apple's DTD has it, and throws at anything else: there is no plutil outside of macOS. */
export function readPropertyList(text: string): Property {
  if (!text.startsWith(HEAD)) throw new Error('It does not begin as a list of properties');
  const reader = new Reader(text.slice(HEAD.length).trimEnd());
  reader.take('<plist>');
  const list = reader.value();
  reader.take('</plist>');
  reader.take('');
  return list;
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  take(expected: string): void {
    const found = this.#next();
    if (found !== expected) throw new Error(`${expected} was expected at ${this.#at}, and there is ${found}`);
  }

  value(): Property {
    const tag = this.#next();
    if (tag === '<true/>' || tag === '<false/>') return tag === '<true/>';
    if (tag === '<string>') return this.#content('string');
    if (tag === '<integer>') return wholeNumber(this.#content('integer'));
    if (tag === '<array>') return this.#items();
    if (tag === '<dict>') return this.#entries();
    throw new Error(`${tag} is no value`);
  }

  #items(): readonly Property[] {
    const items: Property[] = [];
    while (this.#peek() !== '</array>') items.push(this.value());
    this.take('</array>');
    return items;
  }

  #entries(): Record<string, Property> {
    const entries: Record<string, Property> = {};
    while (this.#peek() !== '</dict>') {
      this.take('<key>');
      const key = this.#content('key');
      if (key in entries) throw new Error(`${key} stands there twice`);
      entries[key] = this.value();
    }
    this.take('</dict>');
    return entries;
  }

  #content(tag: string): string {
    const text = this.#peek().startsWith('<') ? '' : this.#next();
    this.take(`</${tag}>`);
    return text.replace(/&[^;]*;?/g, (entity) => {
      const character = ENTITIES[entity];
      if (character === undefined) throw new Error(`${entity} means nothing`);
      return character;
    });
  }

  #peek(): string {
    const at = this.#at;
    const next = this.#next();
    this.#at = at;
    return next;
  }

  /** A tag, a text, or nothing at the end. */
  #next(): string {
    if (this.#at === this.#text.length) return '';
    TOKEN.lastIndex = this.#at;
    const found = TOKEN.exec(this.#text);
    if (!found) throw new Error(`What stands at ${this.#at} is not XML`);
    this.#at = TOKEN.lastIndex;
    const [, closing = '', name, , alone = '', text = ''] = found;
    return name === undefined ? text : `<${closing}${name}${alone}>`;
  }
}

function wholeNumber(text: string): number {
  if (!/^-?\d+$/.test(text)) throw new Error(`${text} is no whole number`);
  return Number(text);
}
