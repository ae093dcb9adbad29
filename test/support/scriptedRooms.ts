import type {
  ConversationItem,
  ResponseOptions,
  VoiceConnection,
  VoiceConversation,
  VoiceEvent,
  VoiceOptions,
  VoiceRooms,
} from '../../src/application/voice/conversation.ts';
import { HarkError } from '../../src/errors.ts';

type Connect = VoiceRooms['connect'];

/** A conversation that says what it is told to, and keeps what it is asked. */
export class ScriptedConversation implements VoiceConversation {
  readonly sessionId: string;
  options: VoiceOptions;
  readonly caller: Parameters<Connect>[0];
  /** All that was called, by its name. */
  readonly calls: (readonly [string, ...unknown[]])[] = [];
  heard = 0;
  missed = 0;
  readonly items = new Map<string, ConversationItem>();
  readonly tell: (event: VoiceEvent) => void;
  onHear: ((samples: Int16Array) => void) | undefined;
  readonly #gone = Promise.withResolvers<boolean>();
  /** Whether who was there ended it, once they are gone. */
  readonly gone = this.#gone.promise;
  isOver = false;

  constructor(
    sessionId: string,
    caller: Parameters<Connect>[0],
    { initial, listener }: Parameters<Connect>[1],
  ) {
    this.sessionId = sessionId;
    this.caller = caller;
    this.options = initial;
    this.tell = listener;
  }

  leave(ends: boolean): void {
    this.isOver = true;
    this.#gone.resolve(ends);
  }

  configure(change: Partial<VoiceOptions>): void {
    if (change.voice === 'forbidden') throw new HarkError('BAD_REQUEST', { message: 'No such voice' });
    this.options = { ...this.options, ...change };
    this.calls.push(['configure', change]);
  }

  hear(samples: Int16Array): void {
    this.heard += samples.length;
    this.onHear?.(samples);
  }

  miss(samples: number): void {
    this.missed += samples;
    this.calls.push(['miss', samples]);
  }

  commit(answer?: boolean): void {
    this.calls.push(['commit', answer]);
  }

  clear(): void {
    this.calls.push(['clear']);
    this.tell({ type: 'cleared' });
  }

  add(item: ConversationItem, after: string | null | undefined): void {
    this.calls.push(['add', item, after]);
    this.items.set(item.id, item);
    this.tell({ type: 'item_added', item, previousItemId: after ?? null });
    this.tell({ type: 'item_done', item, previousItemId: after ?? null });
  }

  remove(itemId: string): void {
    this.calls.push(['remove', itemId]);
    this.tell({ type: 'item_deleted', itemId });
  }

  find(itemId: string): ConversationItem | undefined {
    return this.items.get(itemId);
  }

  truncate(itemId: string, audioEndMs: number): void {
    this.calls.push(['truncate', itemId, audioEndMs]);
    this.tell({ type: 'item_truncated', itemId, audioEndMs });
  }

  respond(options: ResponseOptions): void {
    if (options.voice === 'forbidden') throw new HarkError('BAD_REQUEST', { message: 'No such voice' });
    this.calls.push(['respond', options]);
  }

  cancel(responseId: string | undefined): void {
    this.calls.push(['cancel', responseId]);
  }

  played(responseId: string, ms: number): void {
    this.calls.push(['played', responseId, ms]);
  }

  stopSpeaking(): void {
    this.calls.push(['stopSpeaking']);
  }
}

/** Rooms in which nothing happens but what a test says. */
export class ScriptedRooms implements Pick<VoiceRooms, 'connect'> {
  readonly conversations: ScriptedConversation[] = [];
  readonly #known = new Set(['known']);

  connect(caller: Parameters<Connect>[0], options: Parameters<Connect>[1]): VoiceConnection | undefined {
    const { sessionId = `session-${this.conversations.length}` } = options;
    if (options.sessionId !== undefined && !this.#known.has(sessionId)) return undefined;
    const conversation = new ScriptedConversation(sessionId, caller, options);
    this.conversations.push(conversation);
    options.listener({ type: 'state', state: 'listening' });
    return {
      conversation,
      leave: (ends) => conversation.leave(ends),
    };
  }

  get last(): ScriptedConversation {
    const last = this.conversations.at(-1);
    if (!last) throw new Error('Nobody has come yet');
    return last;
  }
}
