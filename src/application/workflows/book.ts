import { entryOf } from '../../entryOf.ts';
import type { Step, WorkflowDefinition } from '../../events/workflowDefinition.ts';
import type { WorkflowFile } from '../../gateways/workflows/folder.ts';
import type { Definitions } from '../../workflowFiles/definitions.ts';

/** What is wrong with a file, and whether the version before it is still in use. */
export interface BadFile {
  readonly file: string;
  readonly problem: string;
  readonly keepsOld: boolean;
}

export interface WorkflowSummary {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** JSON Schema of what it takes, where the file says that. */
  readonly input?: Readonly<Record<string, unknown>>;
  readonly steps: readonly PlacedStep[];
}

interface PlacedStep {
  readonly id: string;
  readonly name: string;
  readonly type: Step['type'];
  /** The step in which it lies, and in which of its lists: `do`, `else`, or the number of a branch. */
  readonly within?: { readonly step: string; readonly list: string };
}

interface Entry {
  readonly file: string | null;
  readonly definition: WorkflowDefinition;
}

interface BookOptions {
  readonly definitions: Pick<Definitions, 'read'>;
  readonly builtIn: Readonly<Record<string, WorkflowDefinition>>;
  readonly onRead: (file: string, problem: string | null) => void;
}

const WORKFLOW_ID = /^[a-zA-Z0-9_-]{1,128}$/;

/**
 * The workflows that there are: those that are built in, and one for each file, named like it. A file that cannot be
 * used leaves its workflow as it was before.
 */
export class WorkflowBook {
  readonly #options: BookOptions;
  readonly #texts = new Map<string, string>();
  readonly #fromFiles = new Map<string, Entry>();
  readonly #bad = new Map<string, BadFile>();

  constructor(options: BookOptions) {
    this.#options = options;
  }

  get(workflowId: string): WorkflowDefinition | undefined {
    const { builtIn } = this.#options;
    return this.#fromFiles.get(workflowId)?.definition ?? entryOf(builtIn, workflowId);
  }

  /** By id, with all of their steps, also those within others. */
  list(): readonly WorkflowSummary[] {
    const all = new Map(Object.entries(this.#options.builtIn));
    for (const [id, { definition }] of this.#fromFiles) all.set(id, definition);
    return Array.from(all, ([id, definition]) => summaryOf(id, definition)).sort((one, other) =>
      one.id < other.id ? -1 : 1,
    );
  }

  get badFiles(): readonly BadFile[] {
    return Array.from(this.#bad.values());
  }

  /** All the files that there are now. One that did not change is not read again. */
  async take(files: readonly WorkflowFile[]): Promise<void> {
    const names = new Set(files.map(({ name }) => name));
    for (const name of Array.from(this.#texts.keys())) if (!names.has(name)) this.#forget(name);
    for (const file of files) {
      const text = 'text' in file ? `text ${file.text}` : `problem ${file.problem}`;
      if (this.#texts.get(file.name) === text) continue;
      this.#texts.set(file.name, text);
      await this.#read(file);
    }
  }

  async #read(file: WorkflowFile): Promise<void> {
    const id = idOf(file.name);
    const problem = this.#clash(id, file.name) ?? ('problem' in file ? file.problem : undefined);
    const read =
      problem === undefined && 'text' in file
        ? await this.#options.definitions.read(file.name, file.text)
        : { problem: problem ?? '' };
    if ('definition' in read) {
      this.#fromFiles.set(id, { file: file.name, definition: read.definition });
      this.#bad.delete(file.name);
      this.#options.onRead(file.name, null);
      return;
    }
    const keepsOld = this.#fromFiles.get(id)?.file === file.name;
    this.#bad.set(file.name, { file: file.name, problem: read.problem, keepsOld });
    this.#options.onRead(file.name, read.problem);
  }

  #clash(id: string, name: string): string | undefined {
    if (!WORKFLOW_ID.test(id)) return 'The file name must be letters, digits, _ and -, at most 128 of them';
    const other = this.#fromFiles.get(id)?.file;
    return other && other !== name ? `${other} already defines the workflow ${id}` : undefined;
  }

  #forget(name: string): void {
    this.#texts.delete(name);
    this.#bad.delete(name);
    const id = idOf(name);
    if (this.#fromFiles.get(id)?.file === name) this.#fromFiles.delete(id);
    // One that it stood in the way of may be read now.
    for (const other of this.#bad.keys()) if (idOf(other) === id) this.#texts.delete(other);
  }
}

function summaryOf(id: string, { name, description, input, steps }: WorkflowDefinition): WorkflowSummary {
  return { id, name, description, ...(input === undefined ? {} : { input }), steps: placed(steps, {}) };
}

/** These and those within them, in the order in which they are written. */
function placed(steps: readonly Step[], where: Pick<PlacedStep, 'within'>): readonly PlacedStep[] {
  return steps.flatMap((step) => {
    const { id, name = id, type } = step;
    const within = listsIn(step).flatMap(([list, inside]) => placed(inside, { within: { step: id, list } }));
    return [{ id, name, type, ...where }, ...within];
  });
}

function listsIn(step: Step): readonly (readonly [list: string, steps: readonly Step[]])[] {
  if (step.type === 'PARALLEL') return step.branches.map((branch, index) => [String(index + 1), branch]);
  if (step.type !== 'CONDITION') return [];
  return [
    ['do', step.do ?? []],
    ['else', step.else ?? []],
  ];
}

function idOf(file: string): string {
  return file.replace(/\.\w+$/, '');
}
