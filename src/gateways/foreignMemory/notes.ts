const LONGEST = 2_000;
const HEADING = /^#{1,6}\s(.*)$/s;
const BULLET = /^(\s*)(?:[-*+]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?(.*)$/s;
const FENCE = /^\s*(```|~~~)/;
/** A trimmed line that is a tag, a rule, a table's rule, or names another file to be read: none says anything. */
const SILENT = /^(?:<\/?[\w-][^>]*>|[-*_=\s]{3,}|\|[-:|\s]+\||@[\w~./-]+)$/;

/**
 * What notes in Markdown say, a statement for each item and each paragraph, with the heading that it stands under.
 * Code, comments and what stands in front of the text (YAML) say nothing about anybody.
 */
export async function* statementsIn(lines: AsyncIterable<string>): AsyncGenerator<string> {
  const notes = new Notes();
  for await (const line of withoutFrontMatter(lines)) yield* notes.read(line);
  yield* notes.end();
}

async function* withoutFrontMatter(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let state: 'before' | 'inside' | 'after' = 'before';
  for await (const line of lines) {
    const isMark = line.trim() === '---';
    if (state === 'before' && isMark) state = 'inside';
    else if (state === 'inside') state = isMark ? 'after' : 'inside';
    else {
      state = 'after';
      yield line;
    }
  }
}

class Notes {
  #heading = '';
  /** What the items that follow belong to, as it ended with a colon. */
  #opening = '';
  #paragraph = '';
  #fence = '';
  #isComment = false;
  #isItem = false;
  #isItemOpening = false;

  *read(line: string): Generator<string> {
    if (this.#isHidden(line)) {
      yield* this.end();
      this.#opening = '';
      return;
    }
    const heading = HEADING.exec(line)?.[1]
      ?.trim()
      .replace(/(?<!#)#+$/, '');
    if (line.trim() === '' || SILENT.test(line.trim()) || heading !== undefined) {
      yield* this.end();
      if (heading === undefined) return;
      // The title of the whole says nothing about the single item.
      this.#heading = /^#\s/.test(line) ? '' : plain(heading);
      this.#opening = '';
      return;
    }
    const [, indent = '', item] = BULLET.exec(line) ?? [];
    if (item === undefined && !line.startsWith('|')) {
      this.#paragraph += `${line.trim()} `;
      return;
    }
    yield* this.end();
    if (indent === '' && this.#isItemOpening) this.#opening = '';
    this.#isItem = true;
    this.#paragraph = `${item ?? line.split('|').join(' ').trim()} `;
  }

  *end(): Generator<string> {
    const text = plain(this.#paragraph);
    const isItem = this.#isItem;
    this.#paragraph = '';
    this.#isItem = false;
    if (text.endsWith(':')) {
      this.#opening = text;
      this.#isItemOpening = isItem;
      return;
    }
    const opening = isItem ? this.#opening : '';
    if (!isItem && text !== '') this.#opening = '';
    if (/\p{L}.*\p{L}.*\p{L}/u.test(text)) yield this.#inContext(text, opening);
  }

  #inContext(text: string, opening: string): string {
    const heading = this.#heading === '' ? '' : `${this.#heading}: `;
    const whole = `${heading}${opening === '' ? '' : `${opening} `}${text}`;
    return whole.length > LONGEST ? `${whole.slice(0, LONGEST - 1)}…`.toWellFormed() : whole;
  }

  #isHidden(line: string): boolean {
    const [, fence] = FENCE.exec(line) ?? [];
    if (this.#fence !== '') {
      if (fence === this.#fence) this.#fence = '';
      return true;
    }
    if (this.#isComment || line.trimStart().startsWith('<!--')) {
      this.#isComment = !line.includes('-->');
      return true;
    }
    if (fence === undefined) return false;
    this.#fence = fence;
    return true;
  }
}

function plain(text: string): string {
  return text
    .replaceAll(/!?\[([^[\]]*)\]\([^)]{0,500}\)/g, '$1')
    .replaceAll(/(\*\*|__|`)/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
