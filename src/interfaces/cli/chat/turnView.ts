import { prose, toned } from '../output.ts';
import type { TurnMessage } from './followedTurn.ts';

const LONGEST_NOTE = 200;

type Kind = 'content' | 'thinking' | 'note';

/**
 * Shows a turn while it runs: what the model says as it is, and beside it, dimmed, what it thinks and which tools
 * it calls. Kinds are set apart by line ends, steps by an empty line.
 */
export class TurnView {
  readonly #write: (text: string) => void;
  readonly #showsWork: boolean;
  #last: Kind | undefined;
  #isLineOpen = false;
  #wasAnswered = false;
  /** What was not told yet of the step that runs. */
  #notYet = new Set<Kind>();

  constructor({ write, showsWork }: { write: (text: string) => void; showsWork: boolean }) {
    this.#write = write;
    this.#showsWork = showsWork;
  }

  show(signal: TurnMessage): void {
    if (signal.type === 'step') this.#notYet = new Set(['content', 'thinking']);
    else if (signal.type === 'content') this.#text('content', prose(signal.content));
    else if (signal.type === 'thinking') this.#work('thinking', prose(signal.content));
    else if (signal.type === 'tool_start') this.#note(`→ ${signal.name} ${JSON.stringify(signal.input)}`);
    else if (signal.type === 'tool_result') this.#note(resultOf(signal));
  }

  /** Whatever is shown next begins on a line of its own. */
  end(): void {
    if (this.#isLineOpen) this.#write('\n');
    this.#isLineOpen = false;
  }

  #note(text: string): void {
    const line = prose(text).replaceAll(/\s+/g, ' ');
    this.#work('note', line.length > LONGEST_NOTE ? `${line.slice(0, LONGEST_NOTE - 1)}…` : line);
  }

  #work(kind: Kind, text: string): void {
    if (this.#showsWork) this.#text(kind, text);
  }

  #text(kind: Kind, text: string): void {
    if (text === '') return;
    const isFirstOfStep = this.#notYet.delete(kind);
    if (kind === 'note' || kind !== this.#last || isFirstOfStep) this.end();
    if (kind === 'content' && isFirstOfStep && this.#wasAnswered) this.#write('\n');
    this.#write(kind === 'content' ? text : toned('dim', text));
    this.#wasAnswered ||= kind === 'content';
    this.#last = kind;
    this.#isLineOpen = !text.endsWith('\n');
  }
}

function resultOf({ error, durationMs, result }: Extract<TurnMessage, { type: 'tool_result' }>): string {
  return `← ${error ? 'failed, ' : ''}${Math.round(durationMs)} ms: ${result}`;
}
