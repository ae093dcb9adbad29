import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { historyMessage } from '../../operations/chatShapes.ts';
import { CliFailure } from '../failure.ts';
import { print, printJsonLine, printRows, prose, toned } from '../output.ts';
import type { RestClient } from '../restClient.ts';
import { FollowedTurn } from './followedTurn.ts';
import { TurnView } from './turnView.ts';

interface ConversationOptions {
  readonly client: RestClient;
  readonly sessionId: string | undefined;
  readonly json: boolean;
}

/** Whoever leaves does not wait for long. */
const LEAVING_MS = 5_000;

const ended = z.object({ ended: z.literal(true) });
const history = z.object({ messages: z.array(historyMessage()) });
const pastTurns = z.object({
  turns: z.array(
    z.object({
      turnId: z.string(),
      text: z.string().nullable(),
      origin: z.string(),
      images: z.number(),
      isOpen: z.boolean(),
    }),
  ),
});
const sentImages = z.object({ images: z.array(z.object({ mimeType: z.string(), content: z.string() })) });

type Image = z.output<typeof sentImages>['images'][number];

/** One user talking to hark, line by line. */
export class ChatSession {
  readonly #client: RestClient;
  readonly #json: boolean;
  #sessionId: string;
  /** It was begun here, and ends here. */
  #isOwn: boolean;
  #hasSaid = false;
  #turn: FollowedTurn | undefined;
  /** The turn in whose place the next line stands, and what was to be seen there. */
  #replaces: { readonly turnId: string; readonly images: readonly Image[] } | undefined;

  constructor({ client, sessionId, json }: ConversationOptions) {
    this.#client = client;
    this.#json = json;
    this.#sessionId = sessionId ?? newId();
    this.#isOwn = sessionId === undefined;
  }

  get sessionId(): string {
    return this.#sessionId;
  }

  get isJson(): boolean {
    return this.#json;
  }

  get isBusy(): boolean {
    return this.#turn !== undefined;
  }

  /** What the user said in it so far. */
  async said(): Promise<readonly string[]> {
    const messages = await this.#history();
    return messages.flatMap(({ content, origin }) => (origin === 'user' ? [content] : []));
  }

  /** False when that was the last. */
  async take(typed: Typed): Promise<boolean> {
    if (typed.kind === 'text') await this.#say(typed.text);
    else if (typed.kind === 'unknown')
      this.#remark(`Unknown command /${typed.name}; /help lists the commands`);
    else if (typed.kind === 'command') return this.#obey(typed.name);
    return true;
  }

  /**
   * Ends what was begun here, so that what was said is remembered in a moment. A session that was named is left for
   * whoever comes back to it. Says what became of it; nothing where nothing was said.
   */
  async leave(): Promise<string | undefined> {
    if (!this.#hasSaid) return undefined;
    this.#hasSaid = false;
    if (!this.#isOwn) return `session ${this.#sessionId} stays open; it ends after a while without a message`;
    const path = `api/chat/sessions/${this.#sessionId}`;
    try {
      await this.#client.ask(path, ended, { method: 'DELETE', timeoutMs: LEAVING_MS });
      return `session ${this.#sessionId} ended; what you said is remembered in a moment`;
    } catch {
      return `session ${this.#sessionId} could not be ended; it ends after a while without a message`;
    }
  }

  /** Over a pipe and into a file go the replies alone. */
  get isForReplies(): boolean {
    return !this.#json && process.stdout.isTTY !== true;
  }

  /** Shows what hark says by itself. */
  remind(reminder: { readonly text: string }): void {
    if (this.#json) printJsonLine({ type: 'reminder', ...reminder });
    else print(`${toned('yellow', 'reminder:')} ${prose(reminder.text)}`);
  }

  /** Nothing where nothing runs. */
  async cancel(): Promise<void> {
    await this.#turn?.cancel();
  }

  async #obey(name: Extract<Typed, { kind: 'command' }>['name']): Promise<boolean> {
    if (name === 'help') printRows(helpRows);
    if (name === 'history') await this.#showHistory();
    if (name === 'cancel') await this.cancel();
    if (name === 'edit' || name === 'again') await this.#replaceLast(name);
    if (name === 'new') {
      this.#replaces = undefined;
      const left = await this.leave();
      if (left !== undefined) this.#remark(left);
      this.#sessionId = newId();
      this.#isOwn = true;
      this.#remark(`session ${this.#sessionId}`);
    }
    return name !== 'exit';
  }

  /** What you said last, and all since, is set aside: for the same once more, or for the next line. */
  async #replaceLast(how: 'edit' | 'again'): Promise<void> {
    const path = `api/chat/sessions/${this.#sessionId}/turns?limit=100`;
    const { turns } = await this.#client.get(path, pastTurns);
    const last = turns.findLast(({ origin }) => origin === 'user');
    if (!last?.text || !last.isOpen) return this.#remark('There is no message here that can be said again');
    // Its images go along: without them it would be another question.
    const images = last.images > 0 ? await this.#imagesOf(last.turnId) : [];
    if (images.length < last.images)
      return this.#remark('The images of this message are gone; it cannot be said again');
    this.#replaces = { turnId: last.turnId, images };
    if (how === 'again') await this.#say(last.text);
    else this.#remark(`The next line takes the place of: ${prose(last.text)}`);
  }

  async #imagesOf(turnId: string): Promise<readonly Image[]> {
    return (await this.#client.get(`api/chat/turns/${turnId}/images`, sentImages)).images;
  }

  async #say(text: string): Promise<void> {
    const replaces = this.#replaces;
    this.#replaces = undefined;
    const place = replaces && { replaces: replaces.turnId, files: replaces.images };
    const turn = new FollowedTurn(this.#client, { text, sessionId: this.#sessionId, ...place });
    // What goes into a file or a pipe is the replies alone.
    const view = new TurnView({
      write: (shown) => process.stdout.write(shown),
      showsWork: process.stdout.isTTY === true,
    });
    this.#turn = turn;
    this.#hasSaid = true;
    try {
      for await (const signal of turn.signals()) {
        if (this.#json) printJsonLine(signal);
        else view.show(signal);
        if (signal.type === 'error' && !turn.isUnwanted)
          throw new CliFailure(`${signal.code}: ${signal.message}`);
      }
    } finally {
      view.end();
      this.#turn = undefined;
    }
    if (turn.isUnwanted) this.#remark('cancelled');
  }

  async #showHistory(): Promise<void> {
    for (const { origin, content } of await this.#history()) {
      const who = origin === 'user' ? 'you' : (origin ?? 'hark');
      print(`${toned('bold', who)}: ${prose(content)}`);
    }
  }

  async #history(): Promise<z.output<typeof history>['messages']> {
    return (await this.#client.get(`api/chat/history/${this.#sessionId}`, history)).messages;
  }

  #remark(text: string): void {
    if (!this.#json) print(toned('dim', text));
  }
}

function newId(): string {
  return `cli-${randomUUID().slice(0, 13)}`;
}

const commands = {
  new: 'end this conversation, and begin another',
  history: 'show what was said in this one',
  edit: 'say the last message otherwise: the next line takes its place',
  again: 'say the last message again, in its place',
  cancel: 'stop the reply that runs',
  help: 'show this',
  exit: 'end',
} as const;

type CommandName = keyof typeof commands;

/** What somebody typed: something to say, or a command. */
type Typed =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'command'; readonly name: CommandName }
  | { readonly kind: 'unknown'; readonly name: string };

/** Only a word alone after the slash is a command: a path is something to say. */
export function typedIn(line: string): Typed {
  const text = line.trim();
  if (text === '') return { kind: 'nothing' };
  const [, word] = /^\/([a-z]+)$/i.exec(text) ?? [];
  if (word === undefined) return { kind: 'text', text };
  const name = word.toLowerCase();
  return isCommand(name) ? { kind: 'command', name } : { kind: 'unknown', name };
}

const helpRows: readonly string[][] = Object.entries(commands).map(([name, about]) => [`/${name}`, about]);

function isCommand(name: string): name is CommandName {
  return Object.hasOwn(commands, name);
}
