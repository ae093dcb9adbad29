/** A piece of a reply that is spoken in one breath, and where it stands in the reply. */
export interface SpokenSentence {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** A first sentence that is longer than this is cut at its first clause, so that speech begins with that. */
const LONG_START = 60;
const SHORTEST_CLAUSE = 20;
/** Nobody speaks longer without a breath. */
const LONGEST = 320;

const FENCE = /^[ \t]*(?:```|~~~)/;
const CLOSING = /["'’”»)\]*_]/;
const WIDE_END = /[。！？｡]/;
const END = /[.!?…؟।]/;
/** What ends with a dot and no sentence, in the languages that use our letters; lower case, without that dot. */
const ABBREVIATIONS = new Set(
  (
    'mr mrs ms dr prof st sr jr vs etc approx dept est fig no vol gen col sgt capt rev hon inc ltd co corp e.g i.e a.m p.m ' +
    'cf al ca z.b d.h u.a o.ä bzw usw evtl ggf inkl exkl nr str tel hr fr abs bspw sog vgl mio mrd zzgl jh geb ' +
    'm mme mlle mm p.ex c.-à-d env art chap éd sig.ra sig dott ing ecc es pag sra srta ud uds ee.uu aprox núm pág av dña d ' +
    'dhr mevr bijv enz blz o.a d.w.z jan feb mar apr jun jul aug sep sept oct okt nov dec dez'
  ).split(' '),
);

/**
 * Cuts a reply into sentences while it comes. What it gives depends on the text alone, not on the pieces in which it came,
 * and joined it is that text again. It looks one word ahead, since a dot may belong to an abbreviation or a number.
 */
export class SentenceCutter {
  #text = '';
  /** Where `#text` begins in the reply. */
  #from = 0;
  #next = 0;
  #clause = 0;
  /** In a block of code that has not ended: its last line so far. */
  #line: string | undefined;
  #isFirst = true;
  #isOver = false;

  /** Characters that it gave so far. */
  get position(): number {
    return this.#from;
  }

  push(text: string): readonly SpokenSentence[] {
    this.#text += text;
    return this.#goesOnWithCode(text) ? [] : this.#cut();
  }

  /** Nothing more comes for now, as before a tool is called: what is there is a sentence. */
  end(): readonly SpokenSentence[] {
    this.#isOver = true;
    const sentences = [...this.#cut()];
    this.#isOver = false;
    if (this.#text.length > 0) sentences.push(this.#take(this.#text.length));
    return sentences;
  }

  #cut(): readonly SpokenSentence[] {
    const sentences: SpokenSentence[] = [];
    for (;;) {
      const end = this.#find();
      if (end === undefined) return sentences;
      sentences.push(this.#take(end));
    }
  }

  #take(end: number): SpokenSentence {
    const text = this.#text.slice(0, end);
    const from = this.#from;
    this.#text = this.#text.slice(end);
    this.#from += end;
    this.#next = 0;
    this.#clause = 0;
    this.#line = undefined;
    if (text.trim() !== '') this.#isFirst = false;
    return { text, from, to: this.#from };
  }

  /** Where the first sentence ends, with the space after it; undefined where that cannot be said yet. */
  #find(): number | undefined {
    const text = this.#text;
    if (isFencePossible(text)) return this.#endOfCode();
    for (; this.#next < text.length; this.#next++) {
      const at = this.#next;
      const char = text.charAt(at);
      if (char === '\n') {
        if (text.slice(0, at).trim() !== '') return at + 1;
      } else if (WIDE_END.test(char)) return this.#afterClosing(at + 1);
      else if (END.test(char)) {
        const ends = this.#endsAt(at);
        if (ends === 'unknown') return undefined;
        if (ends !== false) return ends;
      } else if (isClauseEnd(text, at)) {
        if (at + 1 >= text.length && !this.#isOver) return undefined;
        if (/[\s—]/.test(text.charAt(at + 1)) && at >= SHORTEST_CLAUSE) this.#clause = at + 2;
      }
      if (this.#isFirst && this.#clause > 0 && at >= LONG_START) return this.#clause;
      if (at >= LONGEST) return this.#clause || lastSpace(text, at) || at + 1;
    }
    return undefined;
  }

  #endsAt(at: number): number | 'unknown' | false {
    const text = this.#text;
    let after = at + 1;
    while (after < text.length && (END.test(text.charAt(after)) || CLOSING.test(text.charAt(after)))) after++;
    if (after >= text.length) return this.#isOver ? after : 'unknown';
    if (!/\s/.test(text.charAt(after))) return false;
    let word = after;
    while (word < text.length && /[^\S\n]/.test(text.charAt(word))) word++;
    if (text.charAt(at) === '.' && after === at + 1) {
      if (word >= text.length) return this.#isOver ? word : 'unknown';
      // French has a space before it.
      if (text.charAt(word) === '»') return word + 1;
      if (text.charAt(word) !== '\n' && !isEndOfSentence(text.slice(0, at), text.charAt(word))) return false;
    }
    return Math.min(word, after + 1);
  }

  #afterClosing(after: number): number | undefined {
    const text = this.#text;
    let end = after;
    while (end < text.length && (CLOSING.test(text.charAt(end)) || /[」』）]/.test(text.charAt(end)))) end++;
    return end >= text.length && !this.#isOver ? undefined : end;
  }

  /** A block of code is looked through when a line ends it: with each token it would be looked through again and again. */
  #goesOnWithCode(text: string): boolean {
    if (this.#line === undefined) return false;
    this.#line += text;
    if (!text.includes('\n')) return true;
    const lines = this.#line.split('\n');
    this.#line = lines.pop() ?? '';
    return !lines.some((line) => FENCE.test(line));
  }

  /** A block of code is one sentence, however long. */
  #endOfCode(): number | undefined {
    const text = this.#text;
    const begun = text.length - text.trimStart().length;
    if (!FENCE.test(text.slice(begun)) && !this.#isOver) return undefined;
    let line = text.indexOf('\n', begun);
    while (line !== -1) {
      const next = text.indexOf('\n', line + 1);
      const end = next === -1 ? text.length : next;
      if (FENCE.test(text.slice(line + 1, end)) && (next !== -1 || this.#isOver))
        return Math.min(end + 1, text.length);
      line = next;
    }
    if (this.#isOver) return text.length || undefined;
    this.#line = text.slice(text.lastIndexOf('\n') + 1);
    return undefined;
  }
}

/** A line that begins with one, or with what may become one. */
function isFencePossible(text: string): boolean {
  const line = text.trimStart();
  return /^(?:```|~~~)/.test(line) || line === '`' || line === '``' || line === '~' || line === '~~';
}

/** Marks before it included. */
const LONGEST_ABBREVIATION = 40;

function isEndOfSentence(before: string, next: string): boolean {
  if (/\p{Ll}/u.test(next)) return false;
  const last = before.slice(-LONGEST_ABBREVIATION).split(/\s/u).at(-1) ?? '';
  const word = last.replace(/^["'“„«([*_]+/u, '').toLowerCase();
  // The third of May, the second of a list, or an initial.
  if (/^\d{1,2}$/.test(word) || /^\p{L}$/u.test(word)) return false;
  return !ABBREVIATIONS.has(word) && !/^(?:\p{L}\.)+\p{L}$/u.test(word);
}

function isClauseEnd(text: string, at: number): boolean {
  return /[,;:–—]/.test(text.charAt(at));
}

function lastSpace(text: string, at: number): number {
  return text.lastIndexOf(' ', at) + 1;
}
