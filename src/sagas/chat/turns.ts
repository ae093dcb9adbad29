import type { Clock } from '../../clock.ts';
import { breakOffTurn } from '../../commands/chat/breakOffTurn.ts';
import { receiveMessage } from '../../commands/chat/receiveMessage.ts';
import { chatStream } from '../../commands/chat/state.ts';
import type { CommandContext } from '../../commands/runner.ts';
import { HarkError, isHarkError } from '../../errors.ts';
import { chatEvent } from '../../events/chat.ts';
import { beginExchange, type Exchange } from '../../projections/chat/exchange.ts';
import type { StoredEvent } from '../../store/storedEvent.ts';
import type { Models } from '../models.ts';
import type { BriefingMaker } from './briefing.ts';
import { Journal } from './journal.ts';
import { Queues } from './queues.ts';
import { RecordedTurn, receivedAs } from './recordedTurn.ts';
import type { TurnRequest } from './request.ts';
import { type ChatBacking, Sessions } from './sessions.ts';
import type { Transcript } from './transcript.ts';
import { type Briefing, Turn } from './turn.ts';

export interface TurnsOptions {
  /** Asked for each turn: the log may come and go. */
  readonly backing: () => ChatBacking;
  readonly router: Pick<Models, 'complete'>;
  readonly briefing: BriefingMaker;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly mostSteps: number;
  readonly onFailure: (what: string, error: unknown) => void;
}

/** A turn as those see it who listen to it. */
export interface TurnHandle {
  readonly turnId: string;
  readonly transcript: Pick<Transcript, 'read'>;
  /** What it was when it was over. Never rejects. */
  readonly ended: Promise<Exchange>;
}

interface Running extends TurnHandle {
  readonly turn: Turn;
  readonly userId: string;
}

/** So long a stop waits for turns to end by themselves. */
const GRACE_MS = 3_000;

/**
 * Turns at work in this process. A turn belongs to nobody's connection: it goes on when nobody listens, and
 * whoever comes back is told what it has to tell. Turns of one session run one after the other.
 */
export class Turns {
  readonly #options: TurnsOptions;
  readonly #running = new Map<string, Running>();
  readonly #books = new WeakMap<ChatBacking['store'], Sessions>();
  readonly #queues = new Queues();
  /** Turns that are over and not in the log yet, by stream. */
  readonly #unsaved = new Map<string, readonly Exchange[]>();
  readonly #closing = new AbortController();
  #isStopping = false;

  constructor(options: TurnsOptions) {
    this.#options = options;
  }

  /** Resolves when the message is kept; the turn then goes on by itself. */
  async begin(request: TurnRequest): Promise<TurnHandle> {
    if (this.#isStopping) throw new HarkError('NOT_READY');
    const earlier = request.turnId && (await this.find(request.userId, request.turnId));
    if (earlier) return earlier;
    const { turnId = this.#options.newId(), userId, correlationId } = request;
    const { sessionId, platform, text, images } = request;
    const backing = this.#options.backing();
    const journal = this.#journalOf(backing, { userId, correlationId }, turnId);
    const message = { turnId, sessionId, platform, text, images, instanceId: backing.instanceId };
    const isKept = (await journal.write(receiveMessage, message)) !== undefined;
    const stream = chatStream(userId, message);
    const sessions = this.#sessionsOf(backing);
    const turn = new Turn({
      ...this.#options,
      place: { turnId, sessionId, conversationId: sessions.open(stream)?.conversationId ?? turnId },
      exchange: beginExchange(message, this.#options.clock()),
      journal,
      toolContext: { userId, sessionId, correlationId },
    });
    this.#running.set(turnId, { turnId, userId, turn, transcript: turn.transcript, ended: turn.ended });
    this.#queues.add(stream, async () => {
      if (isKept) await sessions.isNext(stream, turnId, turn.signal);
      await turn.run((signal) => this.#brief(sessions, stream, { ...request, turnId, signal }));
      this.#keep(stream, turn, journal);
    });
    return { turnId, transcript: turn.transcript, ended: turn.ended };
  }

  /** One that runs here, or as the log knows it. */
  async find(userId: string, turnId: string): Promise<TurnHandle | undefined> {
    const running = this.#running.get(turnId);
    if (running) return running.userId === userId ? running : undefined;
    return RecordedTurn.find(this.#options.backing().store, userId, turnId, this.#closing.signal);
  }

  /** False when it was over already. */
  async cancel({ userId, correlationId }: CommandContext, turnId: string): Promise<boolean> {
    const running = this.#running.get(turnId);
    if (running?.userId === userId) {
      // Who seems to have gone away may have been sent away.
      running.turn.breakOff(this.#isStopping ? 'interrupted' : 'cancelled');
      return (await running.ended).end?.as === 'cancelled';
    }
    const { store, runner } = this.#options.backing();
    const recorded = await RecordedTurn.find(store, userId, turnId, this.#closing.signal);
    if (!recorded) throw new HarkError('TURN_UNKNOWN', { body: { turnId } });
    const { sessionId } = recorded.place;
    await runner.run(breakOffTurn, { turnId, sessionId, as: 'cancelled' }, { userId, correlationId });
    return (await recorded.ended).end?.as === 'cancelled';
  }

  /** What was said in a session since it began, in the log or about to be. */
  async exchanges(userId: string, sessionId: string): Promise<readonly Exchange[]> {
    const stream = chatStream(userId, { sessionId, turnId: '' });
    const { exchanges } = await this.#sessionsOf(this.#options.backing()).conversation(stream, userId);
    return this.#withUnsaved(stream, exchanges);
  }

  /** Takes no more turns; those that do not end soon are interrupted, and say so. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const all = Array.from(this.#running.values());
    const force = setTimeout(() => {
      for (const { turn } of all) turn.breakOff('interrupted');
    }, GRACE_MS);
    await Promise.all(all.map(({ ended }) => ended));
    clearTimeout(force);
    this.#closing.abort();
  }

  #journalOf({ runner }: ChatBacking, context: CommandContext, turnId: string): Journal {
    const { onFailure } = this.#options;
    const commandId = receivedAs(context.userId, turnId);
    return new Journal({ runner, context, commandId, onFailure, closing: this.#closing.signal });
  }

  #sessionsOf(backing: ChatBacking): Sessions {
    const known = this.#books.get(backing.store);
    if (known) return known;
    const sessions = new Sessions(backing, (event) => this.#hear(event));
    this.#books.set(backing.store, sessions);
    return sessions;
  }

  /** Of a turn that runs here, also when somebody else ended it. */
  #hear({ type, data, at }: StoredEvent): void {
    const event = chatEvent.parse({ type, data });
    if ('turnId' in event.data) this.#running.get(event.data.turnId)?.turn.endedElsewhere(event, at);
  }

  async #brief(
    sessions: Sessions,
    stream: string,
    request: TurnRequest & { readonly turnId: string; readonly signal: AbortSignal },
  ): Promise<Briefing> {
    const { userId, turnId } = request;
    // While the log is away, what this process remembers has to do.
    const { exchanges, summary } = await sessions
      .conversation(stream, userId)
      .catch((error) => (isHarkError(error, 'KVSTORE_UNAVAILABLE') ? nothingSaid : Promise.reject(error)));
    const before = this.#withUnsaved(stream, exchanges).filter((exchange) => exchange.turnId !== turnId);
    return this.#options.briefing({ ...request, exchanges: before, summary });
  }

  #withUnsaved(stream: string, exchanges: readonly Exchange[]): readonly Exchange[] {
    const unsaved = this.#unsaved.get(stream) ?? [];
    const isOlder = ({ turnId }: Exchange) => !unsaved.some((one) => one.turnId === turnId);
    return [...exchanges.filter(isOlder), ...unsaved];
  }

  /** Until all of it is in the log, it is remembered here. */
  #keep(stream: string, turn: Turn, journal: Journal): void {
    const { exchange } = turn;
    if (journal.isAway) this.#unsaved.set(stream, [...(this.#unsaved.get(stream) ?? []), exchange]);
    void journal.settled().then(() => {
      const others = (this.#unsaved.get(stream) ?? []).filter((one) => one !== exchange);
      if (others.length > 0) this.#unsaved.set(stream, others);
      else this.#unsaved.delete(stream);
      this.#running.delete(exchange.turnId);
    });
  }
}

const nothingSaid = { exchanges: [], summary: null };
