import { withinTime } from '../timeout.ts';

export const dependencyStates = ['ready', 'missing', 'stopped', 'optional'] as const;

/** What is found of a part that hark can do without. */
export interface DependencyState {
  /** `missing`: not there, though something is set up to use it; `optional`: not there, and nothing is. */
  readonly status: (typeof dependencyStates)[number];
  readonly version?: string | undefined;
  /** What it is for, or what to do. */
  readonly hint?: string | undefined;
}

export interface Dependency extends DependencyState {
  readonly name: string;
  readonly kind: string;
}

interface Look {
  readonly name: string;
  readonly kind: string;
  look(): Promise<DependencyState>;
}

interface DependenciesOptions {
  readonly looks: readonly Look[];
  /** Milliseconds, from whenever. */
  readonly now: () => number;
  readonly longestLookMs?: number;
}

const LONGEST_LOOK_MS = 2_500;
/** Who asks again and again is told what was found a moment ago. */
const COUNTS_MS = 3_000;

/** What hark can do without, looked at all at once: none of them holds up another. */
export class Dependencies {
  readonly #options: DependenciesOptions;
  #found: { readonly at: number; readonly dependencies: Promise<readonly Dependency[]> } | undefined;

  constructor(options: DependenciesOptions) {
    this.#options = options;
  }

  list(): Promise<readonly Dependency[]> {
    const now = this.#options.now();
    if (!this.#found || now - this.#found.at >= COUNTS_MS)
      this.#found = {
        at: now,
        dependencies: Promise.all(this.#options.looks.map((one) => this.#lookAt(one))),
      };
    return this.#found.dependencies;
  }

  /** What was found is another by now. */
  forget(): void {
    this.#found = undefined;
  }

  async #lookAt({ name, kind, look }: Look): Promise<Dependency> {
    const found = await withinTime(look(), this.#options.longestLookMs ?? LONGEST_LOOK_MS).catch(
      () => FAILED,
    );
    const { status, version, hint } = found?.value ?? LATE;
    return {
      name,
      kind,
      status,
      ...(version === undefined || version === '' ? {} : { version }),
      ...(hint === undefined ? {} : { hint }),
    };
  }
}

const LATE: DependencyState = { status: 'stopped', hint: 'It did not answer in time' };
const FAILED: { readonly value: DependencyState } = {
  value: { status: 'stopped', hint: 'It could not be looked at' },
};
