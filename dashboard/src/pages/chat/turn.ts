import { type Signal, signal } from '@preact/signals';
import { ask, type Message, type Output, type Refusal } from '../../api/ask.ts';
import { words } from './words.ts';

export type TurnSignal = Message<'POST /api/chat/stream'>;
export type Metadata = Extract<TurnSignal, { type: 'done' }>['metadata'];
type PastTurn = Output<'GET /api/chat/sessions/:sessionId/turns'>['turns'][number];

interface ToolUse {
  readonly kind: 'tool';
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly returned?: { readonly result: string; readonly isError: boolean; readonly durationMs: number };
}

/** What happens in a turn, in its order. A part that did not change stays the same object. */
export type Part = { readonly kind: 'thinking' | 'content'; readonly text: string } | ToolUse;

export type TurnState = PastTurn['state'] | 'sending' | 'unsent';

export interface Attachment {
  readonly mimeType: string;
  /** Base64. */
  readonly content: string;
}

interface WentWrong {
  readonly says: string;
  readonly isMendedAtProviders: boolean;
}

/** A turn as this page knows it: what does not change, and what is told of it as it comes. */
export interface Turn {
  readonly key: string;
  readonly at: number;
  /** Null where nothing was said to the assistant. */
  readonly text: string | null;
  readonly imageCount: number;
  /** Where they were sent from here; else they are asked for. */
  readonly images?: readonly Attachment[];
  readonly origin: PastTurn['origin'];
  readonly isSpoken: boolean;
  /** Undefined until the service has taken it. */
  turnId: string | undefined;
  /** Turns that stand in place of each other, this one among them; none where it was never replaced. */
  readonly versions: Signal<readonly string[]>;
  /** Its conversation has ended: it cannot be replaced any more. */
  readonly isOver: Signal<boolean>;
  readonly state: Signal<TurnState>;
  readonly parts: Signal<readonly Part[]>;
  readonly error: Signal<WentWrong | undefined>;
  readonly metadata: Signal<Metadata | undefined>;
  /** Why it was not taken. */
  readonly refusal: Signal<Refusal | undefined>;
}

export function newTurn(
  said: Pick<Turn, 'key' | 'at' | 'text' | 'imageCount' | 'images' | 'origin' | 'isSpoken' | 'turnId'>,
  state: TurnState,
): Turn {
  return {
    ...said,
    versions: signal<readonly string[]>([]),
    isOver: signal(false),
    state: signal(state),
    parts: signal<readonly Part[]>([]),
    error: signal<WentWrong | undefined>(undefined),
    metadata: signal<Metadata | undefined>(undefined),
    refusal: signal<Refusal | undefined>(undefined),
  };
}

export function pastTurn(past: PastTurn): Turn {
  const { turnId, at, text, images, origin, spoken, state, signals } = past;
  const said = { key: turnId, turnId, at, text, imageCount: images, origin, isSpoken: spoken === true };
  const turn = newTurn(said, state);
  place(turn, past);
  if (state === 'running') return turn;
  const telling = new Telling(turn);
  for (const one of signals) telling.take(one);
  telling.flush();
  turn.state.value = state;
  return turn;
}

/** How it stands in its conversation, which what is said later changes. */
export function place({ versions: known, isOver }: Turn, { versions = [], isOpen }: PastTurn): void {
  known.value = versions;
  isOver.value = !isOpen;
}

/** What was sent with the message, from here or from the service. */
export async function imagesOf({ images, imageCount, turnId }: Turn): Promise<readonly Attachment[]> {
  if (images || imageCount === 0 || turnId === undefined) return images ?? [];
  return (await ask('GET /api/chat/turns/:turnId/images', { turnId })).images;
}

export const isOpen = ({ state }: Turn): boolean => state.value === 'running' || state.value === 'sending';

/** What the model said last, without its thoughts. */
export function replyOf({ parts }: Turn): string {
  const last = parts.value.findLast(({ kind }) => kind === 'content');
  return last?.kind === 'content' ? last.text : '';
}

/** Said in the reader's language where a person can do something about it, which is where the providers are. */
function wentWrong({ code, message }: Extract<TurnSignal, { type: 'error' }>): WentWrong {
  const known = words.noModel[code];
  return { says: known ?? message, isMendedAtProviders: known !== undefined };
}

/**
 * Takes what is told of a turn, from its beginning on. What comes within a frame is shown together: a model may say
 * hundreds of pieces a second.
 */
export class Telling {
  readonly #turn: Turn;
  #parts: Part[] = [];
  #frame = 0;

  constructor(turn: Turn) {
    this.#turn = turn;
  }

  take(told: TurnSignal): void {
    switch (told.type) {
      case 'content':
      case 'thinking':
        this.#say(told.type, told.content);
        break;
      case 'tool_start':
        this.#parts.push({ kind: 'tool', id: told.id, name: told.name, input: told.input });
        break;
      case 'tool_result': {
        const at = this.#parts.findLastIndex((part) => part.kind === 'tool' && part.id === told.id);
        const use = this.#parts[at];
        const { result, error: isError, durationMs } = told;
        if (use?.kind === 'tool') this.#parts[at] = { ...use, returned: { result, isError, durationMs } };
        break;
      }
      case 'error':
        this.#turn.error.value = wentWrong(told);
        if (this.#turn.state.value !== 'cancelled')
          this.#turn.state.value = told.code === 'INTERRUPTED' ? 'interrupted' : 'failed';
        break;
      case 'done':
        this.flush();
        this.#turn.metadata.value = told.metadata;
        if (isOpen(this.#turn)) this.#turn.state.value = 'replied';
        return;
    }
    this.#frame ||= requestAnimationFrame(() => this.flush());
  }

  flush(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#turn.parts.value = [...this.#parts];
  }

  #say(kind: 'content' | 'thinking', text: string): void {
    const at = this.#parts.length - 1;
    const last = this.#parts[at];
    if (last?.kind === kind) this.#parts[at] = { kind, text: last.text + text };
    else this.#parts.push({ kind, text });
  }
}
