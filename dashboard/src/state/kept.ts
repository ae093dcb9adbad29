/**
 * What the browser keeps for this page. Some refuse that, or have no room: then it holds as long as the page is open.
 */
class Kept {
  readonly #inPage = new Map<string, string>();
  readonly #where: 'localStorage' | 'sessionStorage';

  constructor(where: 'localStorage' | 'sessionStorage') {
    this.#where = where;
  }

  /** Read anew each time: another tab may have changed it. */
  get(name: string): string | undefined {
    const inPage = this.#inPage.get(name);
    if (inPage !== undefined) return inPage;
    try {
      return window[this.#where].getItem(name) ?? undefined;
    } catch {
      return undefined;
    }
  }

  /** Whether it is still there when the page is loaded again. Undefined takes it away. */
  set(name: string, text: string | undefined): boolean {
    this.#inPage.delete(name);
    try {
      // Without room for it, what was there before does not come back either.
      window[this.#where].removeItem(name);
      if (text !== undefined) window[this.#where].setItem(name, text);
      return true;
    } catch {
      if (text !== undefined) this.#inPage.set(name, text);
      return false;
    }
  }
}

export const onDevice = new Kept('localStorage');
export const inTab = new Kept('sessionStorage');
