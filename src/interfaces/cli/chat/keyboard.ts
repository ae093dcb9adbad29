import { once } from 'node:events';
import { clearLine, createInterface, cursorTo, type Interface } from 'node:readline';
import { describeFailure } from '../failure.ts';
import { print, printError, toned } from '../output.ts';
import { type ChatSession, typedIn } from './chatSession.ts';
import { INTERRUPTED } from './followedTurn.ts';

const MOST_LINES_KEPT = 500;

/**
 * Lines from a person or a pipe, one after the other. A person is prompted, has the arrow keys, and goes on after
 * a failure; of a pipe a failure is the end. Ctrl-C cancels the reply that runs, and twice it ends the process.
 */
export class Keyboard {
  readonly #conversation: ChatSession;
  readonly #isPerson = process.stdin.isTTY === true && process.stdout.isTTY === true;
  readonly #lines: Interface;
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;
  #isOver = false;
  #wasInterrupted = false;
  #isLeaving = false;

  constructor(conversation: ChatSession, saidBefore: readonly string[]) {
    this.#conversation = conversation;
    this.#lines = createInterface({
      input: process.stdin,
      terminal: this.#isPerson,
      prompt: '> ',
      historySize: MOST_LINES_KEPT,
      ...(this.#isPerson ? { output: process.stdout, history: linesOf(saidBefore) } : {}),
    });
  }

  /** Resolves when there is no more to say. */
  async run(): Promise<void> {
    const interrupt = () => this.#interrupt();
    this.#lines.on('line', (line) => this.#hear(line));
    this.#lines.on('SIGINT', interrupt);
    process.on('SIGINT', interrupt);
    this.#prompt();
    await once(this.#lines, 'close');
    await this.#last;
    process.off('SIGINT', interrupt);
  }

  /** Says something between two lines, without touching the one that is being typed. */
  interject(reminder: { readonly text: string }): void {
    this.#last = this.#last.then(() => {
      if (this.#isOver) return;
      if (this.#isPerson) clearPrompt();
      this.#conversation.remind(reminder);
      if (this.#isPerson && this.#waiting === 0) this.#lines.prompt(true);
    });
  }

  #hear(line: string): void {
    this.#wasInterrupted = false;
    const typed = typedIn(line);
    if (typed.kind === 'command' && typed.name === 'cancel') {
      this.#cancel();
      return;
    }
    this.#waiting++;
    this.#last = this.#last.then(async () => {
      if (!this.#isOver && !(await this.#try(() => this.#conversation.take(typed)))) this.#end();
      this.#waiting--;
      this.#prompt();
    });
  }

  /** A person is told what failed; anybody else is done with that. */
  async #try(work: () => Promise<boolean>): Promise<boolean> {
    try {
      return await work();
    } catch (error) {
      const { lines, exitCode } = describeFailure(error);
      for (const line of lines) printError(line);
      if (!this.#isPerson) process.exitCode = exitCode;
      return this.#isPerson;
    }
  }

  #interrupt(): void {
    if (this.#isLeaving) process.exit(INTERRUPTED);
    if (this.#wasInterrupted) {
      this.#leaveAtOnce();
      return;
    }
    this.#wasInterrupted = true;
    if (this.#conversation.isBusy) this.#cancel();
    else if (this.#isPerson) print(toned('dim', '\nCtrl-C once more, or /exit, ends'));
    else this.#leaveAtOnce();
    this.#prompt();
  }

  /** Without waiting for what runs, which ends with its session. */
  #leaveAtOnce(): void {
    this.#isLeaving = true;
    this.#end();
    void this.leave().finally(() => process.exit(INTERRUPTED));
  }

  /** A person is told what becomes of the session. */
  async leave(): Promise<void> {
    const left = await this.#conversation.leave();
    if (left !== undefined && this.#isPerson && !this.#conversation.isJson) print(toned('dim', left));
  }

  #cancel(): void {
    void this.#try(async () => {
      await this.#conversation.cancel();
      return true;
    });
  }

  #end(): void {
    this.#isOver = true;
    this.#lines.close();
  }

  #prompt(): void {
    if (this.#isPerson && !this.#isOver && this.#waiting === 0) this.#lines.prompt();
  }
}

function clearPrompt(): void {
  clearLine(process.stdout, 0);
  cursorTo(process.stdout, 0);
}

/** The newest first, as they are stepped back through. */
function linesOf(said: readonly string[]): string[] {
  return said.filter((text) => !/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u.test(text)).reverse();
}
