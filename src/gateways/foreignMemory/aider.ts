import { createHash } from 'node:crypto';

interface Turn {
  readonly role: 'user' | 'assistant';
  readonly name: null;
  readonly text: string;
  readonly at: number;
}

export interface ForeignConversation {
  readonly kind: 'conversation';
  readonly sessionId: string;
  readonly turns: readonly Turn[];
}

const STARTED = /^# aider chat started at (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)/;
const LONGEST_TURN = 8_000;
const MOST_TURNS = 2_000;
/** It notes no time of what was said; turns are taken to follow each other closely. */
const BETWEEN_TURNS_MS = 1_000;

/**
 * The chats in `.aider.chat.history.md`: a heading begins each, what the user said stands behind `####`, what
 * Aider itself reported behind `>`, and the rest is what the model wrote. Commands (`/add …`) are no talk.
 */
export async function* aiderChats(
  file: string,
  lines: AsyncIterable<string>,
): AsyncGenerator<ForeignConversation> {
  let chat: Chat | undefined;
  for await (const line of lines) {
    const started = STARTED.exec(line)?.[1];
    if (started !== undefined) {
      yield* chat?.end() ?? [];
      chat = new Chat(file, started);
    } else chat?.read(line);
  }
  yield* chat?.end() ?? [];
}

class Chat {
  readonly #sessionId: string;
  readonly #startedAt: number;
  readonly #turns: Turn[] = [];
  #role: Turn['role'] = 'assistant';
  #text: string[] = [];

  constructor(file: string, started: string) {
    const name = createHash('sha256').update(file).digest('hex').slice(0, 8);
    this.#sessionId = `aider-${started.replaceAll(/\D/g, '')}-${name}`;
    this.#startedAt = Date.parse(started.replace(' ', 'T')) || 0;
  }

  read(line: string): void {
    const prompt = /^####\s?(.*)$/s.exec(line)?.[1];
    if (prompt === undefined && line.startsWith('>')) {
      this.#close();
      return;
    }
    const role = prompt === undefined ? 'assistant' : 'user';
    if (role !== this.#role && (role === 'user' || line.trim() !== '')) this.#close(role);
    this.#text.push(prompt ?? line);
  }

  *end(): Generator<ForeignConversation> {
    this.#close();
    if (this.#turns.some(({ role }) => role === 'user'))
      yield { kind: 'conversation', sessionId: this.#sessionId, turns: this.#turns };
  }

  #close(next: Turn['role'] = 'assistant'): void {
    const text = this.#text.join('\n').trim().slice(0, LONGEST_TURN).toWellFormed();
    const isTalk = text !== '' && !(this.#role === 'user' && text.startsWith('/'));
    const at = this.#startedAt + this.#turns.length * BETWEEN_TURNS_MS;
    if (isTalk && this.#turns.length < MOST_TURNS)
      this.#turns.push({ role: this.#role, name: null, text, at });
    this.#text = [];
    this.#role = next;
  }
}

/** The files that `.aider.conf.yml` has Aider read each time. Of YAML only what Aider documents for it. */
export async function filesToRead(lines: AsyncIterable<string>): Promise<readonly string[]> {
  const files: string[] = [];
  let isListed = false;
  for await (const line of lines) {
    const [, value] = /^read:([^#]*)(?:#.*)?$/s.exec(line) ?? [];
    const [, item] = /^\s*-\s(.*)$/s.exec(line) ?? [];
    if (value !== undefined) {
      isListed = value.trim() === '';
      files.push(
        ...value
          .trim()
          .replace(/^\[(.*)\]$/, '$1')
          .split(',')
          .map(unquoted),
      );
    } else if (isListed && item !== undefined) files.push(unquoted(item.split(/\s#/, 1)[0] ?? ''));
    else if (/^\S/.test(line) && !line.startsWith('#')) isListed = false;
  }
  return files.filter((file) => file !== '');
}

function unquoted(text: string): string {
  return text.trim().replace(/^(["'])(.*)\1$/, '$2');
}
