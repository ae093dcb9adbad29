const words: readonly (readonly [RegExp, string])[] = [
  [/\bplus\b/g, '+'],
  [/\bminus\b|−/g, '-'],
  [/\btimes\b|\bmultiplied by\b|×|(?<=\d)\s*x\s*(?=\d)/g, '*'],
  [/\bdivided by\b|÷/g, '/'],
];

/** Looks like a subtraction. */
const DATE = /\d{4}-\d\d-\d\d/;

/** The first sum in a text, if there is any: its expression, and its value where it has one. */
export function sumIn(text: string): { readonly expression: string; readonly value: number } | undefined {
  const signs = words.reduce((result, [word, sign]) => result.replace(word, sign), text.toLowerCase());
  const runs = Array.from(signs.matchAll(/[\d(][\d\s.+\-*/()]*/g), ([run]) => endedAtNumber(run));
  const expression = runs.find((run) => run.length > 1);
  if (expression === undefined || DATE.test(expression) || !/\d\s*[+\-*/]\s*[\d(-]/.test(expression))
    return undefined;
  const tokens = expression.match(/\d+(?:\.\d+)?|[+\-*/()]/g) ?? [];
  const reader = new SumReader(tokens);
  const value = reader.sum();
  return reader.atEnd && value !== undefined && Number.isFinite(value) ? { expression, value } : undefined;
}

/** Undefined is what cannot be read. */
class SumReader {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  get atEnd(): boolean {
    return this.#at === this.#tokens.length;
  }

  sum(): number | undefined {
    let value = this.#product();
    for (let sign = this.#take('+', '-'); sign; sign = this.#take('+', '-')) {
      const right = this.#product();
      if (value === undefined || right === undefined) return undefined;
      value = sign === '+' ? value + right : value - right;
    }
    return value;
  }

  #product(): number | undefined {
    let value = this.#factor();
    for (let sign = this.#take('*', '/'); sign; sign = this.#take('*', '/')) {
      const right = this.#factor();
      if (value === undefined || right === undefined) return undefined;
      value = sign === '*' ? value * right : value / right;
    }
    return value;
  }

  #factor(): number | undefined {
    if (this.#take('-')) {
      const value = this.#factor();
      return value === undefined ? undefined : -value;
    }
    if (this.#take('(')) {
      const value = this.sum();
      return this.#take(')') ? value : undefined;
    }
    const number = Number(this.#tokens[this.#at++]);
    return Number.isNaN(number) ? undefined : number;
  }

  #take(...signs: readonly string[]): string | undefined {
    const token = this.#tokens[this.#at];
    if (token === undefined || !signs.includes(token)) return undefined;
    this.#at++;
    return token;
  }
}

/** Without what follows its last number or bracket. */
function endedAtNumber(run: string): string {
  let end = run.length;
  while (end > 0 && !/[\d)]/.test(run.charAt(end - 1))) end--;
  return run.slice(0, end);
}
