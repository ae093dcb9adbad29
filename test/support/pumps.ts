import { regExp } from '../../src/regExp.ts';

/*
 * Regular expressions, taken apart as far as is needed to write texts that they have to work hard for: what comes
 * before a repetition, and then what it repeats, again and again.
 */

type Node =
  | { readonly kind: 'choice' | 'sequence'; readonly of: readonly Node[] }
  | { readonly kind: 'repeat'; readonly of: Node; readonly least: number; readonly most: number }
  | { readonly kind: 'look'; readonly of: Node }
  | { readonly kind: 'one'; readonly source: string }
  | { readonly kind: 'nothing' };

/** A text to be: its beginning, and what comes again and again after it. */
export interface Pump {
  readonly before: string;
  readonly unit: string;
}

const PIECE = regExp('y')`
  (?:\\[pP]\{[^}]*\}|\\k<[^>]*>|\\u\{[^}]*\}|\\u[\da-fA-F]{4}|\\x[\da-fA-F]{2}|\\[\s\S]|\[\^?
  (?:\\[\s\S]|[^\]\\])*\]|[\uD800-\uDBFF][\uDC00-\uDFFF]|[\s\S])`;
const TIMES = /(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/y;
const OPENING = /\((?:\?(?::|=|!|<=|<!|<[^>]+>|[a-z-]+:))?/y;

class Reader {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  choice(): Node {
    const of = [this.#sequence()];
    while (this.#source[this.#at] === '|') {
      this.#at++;
      of.push(this.#sequence());
    }
    return { kind: 'choice', of };
  }

  #sequence(): Node {
    const of: Node[] = [];
    while (this.#at < this.#source.length && !'|)'.includes(this.#source[this.#at] ?? ''))
      of.push(this.#repeated(this.#atom()));
    return { kind: 'sequence', of };
  }

  #repeated(of: Node): Node {
    const found = this.#take(TIMES);
    if (!found) return of;
    const [, sign, least = '', comma, most] = found;
    if (sign) return { kind: 'repeat', of, least: sign === '+' ? 1 : 0, most: sign === '?' ? 1 : Infinity };
    return { kind: 'repeat', of, least: Number(least), most: Number(comma ? most || Infinity : least) };
  }

  #atom(): Node {
    const [opening] = this.#take(OPENING) ?? [];
    if (opening === undefined) return this.#single();
    const of = this.choice();
    this.#at++;
    return /^\(\?<?[=!]$/.test(opening) ? { kind: 'look', of } : of;
  }

  #single(): Node {
    const [source = ''] = this.#take(PIECE) ?? [];
    const isPlace = ['^', '$', '\\b', '\\B'].includes(source);
    // What refers back stands for whatever it was.
    return isPlace ? { kind: 'nothing' } : { kind: 'one', source: /^\\[1-9k]/.test(source) ? 'a' : source };
  }

  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#source);
    this.#at += found?.[0].length ?? 0;
    return found;
  }
}

const KINDS = 'a .A1,\n-\'":!?(`><*#@/_’“=[]\té。|~^&;';

/** Of what a class or a letter stands for, one of each kind. */
function charactersOf(source: string, flags: string): readonly string[] {
  const pattern = new RegExp(`^(?:${source})$`, flags.replace(/[dgy]/g, ''));
  const found = [...new Set([...(source.length === 1 ? [source] : []), ...KINDS, ...source])];
  const fitting = found.filter((one) => pattern.test(one));
  if (fitting.length > 0) return fitting;
  const all = Array.from({ length: 0x3100 }, (_, code) => String.fromCharCode(code));
  return all.filter((one) => pattern.test(one)).slice(0, 1);
}

class Pumps {
  readonly #flags: string;
  readonly #characters = new Map<string, readonly string[]>();
  readonly #words: readonly string[];
  readonly found = new Map<string, Pump>();

  constructor(tree: Node, flags: string) {
    this.#flags = flags;
    this.#words = wordsIn(tree);
    this.#visit(tree, '');
    for (const unit of this.#samples(tree, 12)) this.#add('', unit);
  }

  #add(before: string, unit: string): void {
    if (unit !== '' && unit.length < 200) this.found.set(`${before}\0${unit}`, { before, unit });
  }

  #visit(node: Node, before: string): void {
    if (node.kind === 'sequence') {
      let lead = before;
      for (const each of node.of) {
        this.#visit(each, lead);
        lead += this.#samples(each, 1)[0] ?? '';
      }
    } else if (node.kind === 'choice') for (const each of node.of) this.#visit(each, before);
    else if (node.kind === 'look') this.#visit(node.of, before);
    else if (node.kind === 'repeat') {
      if (node.most > 8) this.#repeat(node.of, before);
      this.#visit(node.of, before);
    }
  }

  #repeat(of: Node, before: string): void {
    for (const unit of this.#samples(of, 12)) {
      this.#add(before, unit);
      this.#add('', before + unit);
      this.#add(before, `${unit} `);
    }
    for (const word of this.#words) {
      this.#add(before, ` ${word}`);
      if (before !== '') this.#add('', before + word);
    }
  }

  /** A few short texts that it stands for. */
  #samples(node: Node, most: number): readonly string[] {
    switch (node.kind) {
      case 'nothing':
      case 'look':
        return [''];
      case 'one':
        return this.#charactersOf(node.source).slice(0, most);
      case 'choice':
        return node.of.flatMap((each) => this.#samples(each, 1)).slice(0, most);
      case 'repeat': {
        if (node.least === 0 && most === 1) return [''];
        const times = Math.max(1, Math.min(node.least, 50));
        return this.#samples(node.of, most).map((one) => one.repeat(times));
      }
      case 'sequence': {
        const parts = node.of.map((each) => this.#samples(each, 1)[0] ?? '');
        const others = node.of.flatMap((each, index) =>
          most === 1 ? [] : this.#samples(each, most).map((other) => parts.with(index, other).join('')),
        );
        return [...new Set([parts.join(''), ...others])].slice(0, most);
      }
    }
  }

  #charactersOf(source: string): readonly string[] {
    const found = this.#characters.get(source) ?? charactersOf(source, this.#flags);
    this.#characters.set(source, found);
    return found;
  }
}

/** Texts for a regular expression, spread over all of its parts where there would be more than `most`. */
export function pumpsOf({ source, flags }: RegExp, most: number): readonly Pump[] {
  const all = [...new Pumps(new Reader(source).choice(), flags).found.values()];
  const step = Math.max(1, all.length / most);
  return Array.from(
    { length: Math.min(most, all.length) },
    (_, index) => all[Math.floor(index * step)],
  ).filter((one) => one !== undefined);
}

/** The words that stand in a regular expression as they are. */
export function wordsOf(source: string): readonly string[] {
  return wordsIn(new Reader(source).choice());
}

function wordsIn(tree: Node): readonly string[] {
  const found = new Set<string>();
  const visit = (node: Node): void => {
    if (node.kind === 'sequence') {
      let word = '';
      for (const each of [...node.of, { kind: 'nothing' } as const]) {
        if (each.kind === 'one' && /^[\p{L}\p{N}' -]$/u.test(each.source)) word += each.source;
        else {
          if (word.trim() !== '') found.add(word.trim());
          word = '';
          visit(each);
        }
      }
    } else if (node.kind === 'choice') node.of.forEach(visit);
    else if (node.kind === 'repeat' || node.kind === 'look') visit(node.of);
  };
  visit(tree);
  return [...found];
}

export function pumped({ before, unit }: Pump, length: number): string {
  return before + unit.repeat(Math.max(1, Math.ceil((length - before.length) / unit.length)));
}
