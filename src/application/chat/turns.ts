import type { Clock } from '../../clock.ts';
import { advanceTurn, breakOffTurn, receiveMessage } from '../../commands/chat/turns.ts';
import type { CommandContext } from '../../commands/runner.ts';
import { HarkError } from '../../errors.ts';
import { chatStream } from '../../events/chat.ts';
import { memoryErased } from '../../events/memory.ts';
import { readTurnEnding } from '../../events/turnEndings.ts';
import { receivedAs } from '../../events/turns.ts';
import { fairShare, hasTime } from '../../fairShare.ts';
import { beginExchange, type Exchange } from '../../projections/chat/exchange.ts';
import type { Position } from '../../store/port.ts';
import type { StoredEvent } from '../../store/storedEvent.ts';
import type { Models } from '../models.ts';
import { Grace } from '../timeout.ts';
import { Afterwards, type HeardReply, type ReturnedCall } from './afterwards.ts';
import type { BriefingMaker } from './briefing.ts';
import { earlierThan, unlessAway } from './earlier.ts';
import { KeyedQueue } from './keyedQueue.ts';
import { RecordedTurn } from './recordedTurn.ts';
import type { TurnRequest } from './request.ts';
import { type ChatContext, Sessions } from './sessions.ts';
import type { Transcript } from './transcript.ts';
import { Turn } from './turn.ts';
import { UnsavedTurns } from './unsavedTurns.ts';
import { chooseVersion, replaceTurn, type ShownExchange, shown } from './versions.ts';

export interface TurnsOptions {
  /** Asked for each turn: the log may come and go. */
  readonly context: () => ChatContext;
  readonly router: Pick<Models, 'complete'>;
  readonly briefing: BriefingMaker;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly mostSteps: () => number;
  /** Characters of turns that wait for the log; for tests. */
  readonly mostUnsaved?: number;
  readonly onFailure: (what: string, error: unknown, correlationId?: string) => void;
}

/** A turn as those see it who listen to it. */
export interface TurnHandle {
  readonly turnId: string;
  readonly transcript: Pick<Transcript, 'read'>;
  /** As it was when it began; of one that runs elsewhere, as it was when it was found. */
  readonly begun: Exchange;
  /** What it was when it was over. Never rejects. */
  readonly ended: Promise<Exchange>;
}

type Asked = TurnRequest & { readonly turnId: string };

interface Running extends TurnHandle {
  readonly turn: Turn;
  readonly userId: string;
}

/** Beyond so many characters that wait for the log, nothing more is begun. */
const MOST_UNSAVED = 32 * 1_024 * 1_024;

/**
 * Turns at work in this process. A turn belongs to nobody's connection: it goes on when nobody listens, and
 * whoever comes back is told what it has to tell. Turns of one session run one after the other.
 */
export class Turns {
  readonly #options: TurnsOptions;
  readonly #running = new Map<string, Running>();
  readonly #books = new WeakMap<ChatContext['store'], Sessions>();
  readonly #beginning = new Map<string, Promise<TurnHandle>>();
  readonly #queue = new KeyedQueue();
  readonly #unsaved: UnsavedTurns;
  readonly #afterwards: Afterwards;
  readonly #closing = new AbortController();
  #isStopping = false;

  constructor(options: TurnsOptions) {
    this.#options = options;
    this.#unsaved = new UnsavedTurns(options.mostUnsaved ?? MOST_UNSAVED);
    const sessions = () => this.#sessionsOf(options.context());
    this.#afterwards = new Afterwards({ ...options, sessions, unsaved: this.#unsaved });
  }

  /**
   * Resolves when the message is kept; the turn then goes on by itself. One that another process runs is told
   * of as long as the caller listens.
   */
  async begin(request: TurnRequest, listening?: AbortSignal): Promise<TurnHandle> {
    if (this.#isStopping) throw new HarkError('NOT_READY');
    const { turnId = this.#options.newId() } = request;
    const same = this.#beginning.get(turnId);
    if (same) return same;
    const begun = this.#begin({ ...request, turnId }, request.turnId !== undefined, listening);
    this.#beginning.set(turnId, begun);
    return begun.finally(() => this.#beginning.delete(turnId));
  }

  async #begin(request: Asked, mayBeRepeated: boolean, listening?: AbortSignal): Promise<TurnHandle> {
    const { turnId, userId, correlationId, sessionId, text, images } = request;
    const { platform, origin, source, transient, client, spoken } = request;
    // What runs here is found without the log; of two that run elsewhere the log takes one.
    const earlier = mayBeRepeated && (await unlessAway(this.find(userId, turnId, listening), undefined));
    if (earlier) return earlier;
    if (this.#unsaved.isFull) throw new HarkError('KVSTORE_UNAVAILABLE');
    const context = this.#options.context();
    const sessions = this.#sessionsOf(context);
    const from = {
      platform,
      origin,
      ...(source === undefined ? {} : { source }),
      ...(transient ? { transient } : {}),
      ...(client === undefined ? {} : { client }),
      ...(spoken === undefined ? {} : { spoken }),
    };
    const message = { turnId, sessionId, ...from, text, images, instanceId: context.instanceId };
    const stream = chatStream(userId, message);
    const commandId = receivedAs(userId, turnId);
    if (sessionId !== null) sessions.expectNew(stream, userId);
    const whose = { userId, correlationId, commandId };
    // What it stands in place of has to be looked up: while the log is away, nothing is replaced.
    const received =
      request.replaces === undefined || sessionId === null
        ? await sessions.journal(stream).begin(receiveMessage, message, whose)
        : await replaceTurn(context, { ...message, sessionId }, request.replaces, whose);
    // Another process was asked the same, and was quicker.
    const quicker = received?.repeated && (await this.find(userId, turnId, listening));
    return quicker || this.#start(request, sessions, stream, received?.position);
  }

  #start(request: Asked, sessions: Sessions, stream: string, receivedAt: Position | undefined): TurnHandle {
    const { turnId, userId, sessionId, correlationId, deviceId } = request;
    const place = { turnId, sessionId };
    const whose = { userId, correlationId };
    const conversationId = sessions.open(stream)?.conversationId ?? turnId;
    // One that the log does not know yet follows on what this process knows.
    const itsTurn = receivedAt === undefined ? undefined : sessions.queued(stream, turnId, receivedAt);
    const begun = beginExchange(request, this.#options.clock());
    let entries = 0;
    let earlier: readonly Exchange[] = [];
    const said = request.origin === 'user' ? request.text : null;
    const turn = new Turn({
      ...this.#options,
      place: { ...place, conversationId },
      exchange: begun,
      brief: async (signal) => {
        const isNext = !itsTurn || (await itsTurn(signal));
        if (!hasTime()) await fairShare();
        signal.throwIfAborted();
        if (!isNext) throw new HarkError('TURN_OVER');
        const known = await earlierThan(request, stream, { sessions, unsaved: this.#unsaved });
        earlier = known.exchanges;
        return this.#options.briefing({ ...request, ...known, conversationId, receivedAt, signal });
      },
      write: (events) => {
        const commandId = `${receivedAs(userId, turnId)}:${++entries}`;
        return sessions.journal(stream).add(advanceTurn, { ...place, events }, { ...whose, commandId });
      },
      recordedEnding: () => sessions.endingOf(stream, turnId),
      remember: (exchange) => this.#remember(sessions, stream, exchange),
      toolContext: {
        ...{ userId, sessionId, correlationId, origin: 'model' },
        ...(deviceId === undefined ? {} : { deviceId }),
        turn: { turnId, conversationId, receivedAt, said, earlier: () => earlier },
      },
    });
    const handle = { turnId, userId, turn, begun, transcript: turn.transcript, ended: turn.ended };
    this.#running.set(turnId, handle);
    this.#queue.add(stream, () => turn.run());
    return handle;
  }

  /** Nothing runs here, nor is about to. */
  get isIdle(): boolean {
    return this.#beginning.size === 0 && this.#running.size === 0;
  }

  /** One that runs here, or as the log knows it. */
  async find(userId: string, turnId: string, listening?: AbortSignal): Promise<TurnHandle | undefined> {
    const running = this.#running.get(turnId);
    if (running) return running.userId === userId ? running : undefined;
    return this.#findRecorded(userId, turnId, listening);
  }

  #findRecorded(userId: string, turnId: string, listening?: AbortSignal): Promise<RecordedTurn | undefined> {
    const until = [this.#closing.signal, ...(listening ? [listening] : [])];
    return RecordedTurn.find(this.#options.context().store, userId, turnId, until);
  }

  /** Whether it ends, or ended, as cancelled: false when it was over already. */
  async cancel({ userId, correlationId }: CommandContext, turnId: string): Promise<boolean> {
    const running = this.#running.get(turnId);
    if (running?.userId === userId) {
      // Who seems to have gone away may have been sent away.
      running.turn.stop(this.#isStopping ? 'interrupted' : 'cancelled');
      return (await running.ended).end?.as === 'cancelled';
    }
    const { runner } = this.#options.context();
    const recorded = await this.#findRecorded(userId, turnId);
    if (!recorded) throw new HarkError('TURN_UNKNOWN', { body: { turnId } });
    const { sessionId } = recorded.place;
    await runner.run(breakOffTurn, { turnId, sessionId, as: 'cancelled' }, { userId, correlationId });
    return (await recorded.ended).end?.as === 'cancelled';
  }

  /** So much of a spoken reply was heard: of all that was said in its turn. Never rejects. */
  heard(whose: CommandContext, heard: HeardReply): Promise<void> {
    return this.#afterwards.heard(whose, heard);
  }

  /** What came of a call that a client was left. Never rejects. */
  returned(whose: CommandContext, returned: ReturnedCall): Promise<void> {
    return this.#afterwards.returned(whose, returned);
  }

  /** What was said in a session since it began, in the log or about to be. */
  async exchanges(userId: string, sessionId: string): Promise<readonly ShownExchange[]> {
    const stream = chatStream(userId, { sessionId, turnId: '' });
    const now = await this.#sessionsOf(this.#options.context()).conversation(stream, userId);
    return shown(this.#unsaved.with(stream, now.exchanges), now);
  }

  /** Takes up again what was said from a turn on, where that is set aside. */
  async choose(whose: CommandContext, turn: { sessionId: string; turnId: string }): Promise<void> {
    const context = this.#options.context();
    await chooseVersion(context, this.#sessionsOf(context), turn, whose);
  }

  /** Takes no more turns; those that do not end soon are interrupted, and say so. */
  async stop(grace = new Grace()): Promise<void> {
    this.#isStopping = true;
    await Promise.allSettled(this.#beginning.values());
    const all = Array.from(this.#running.values());
    await grace.over(Promise.all(all.map(({ ended }) => ended)), () => {
      for (const { turn } of all) turn.stop('interrupted');
    });
    this.#closing.abort();
  }

  #sessionsOf(context: ChatContext): Sessions {
    const open = this.#books.get(context.store);
    if (open) return open;
    const { onFailure } = this.#options;
    const sessions = new Sessions(context, { onFailure, closing: this.#closing.signal });
    context.store.onAppended((events) => {
      for (const event of events) {
        this.#hear(event);
        if (event.type === memoryErased.type) this.#cancelAllOf(event.userId);
      }
    });
    this.#books.set(context.store, sessions);
    return sessions;
  }

  /** What they work with is forgotten. That nothing more of it is kept, `advanceTurn` sees to. */
  #cancelAllOf(userId: string | null): void {
    for (const running of this.#running.values())
      if (running.userId === userId) running.turn.stop('cancelled');
  }

  /** Of a turn that runs here, also when somebody else ended it. */
  #hear(stored: StoredEvent): void {
    const event = readTurnEnding(stored);
    if (event) this.#running.get(event.data.turnId)?.turn.hear({ event, at: stored.at });
  }

  /** Here, until all of it is in the log. */
  #remember(sessions: Sessions, stream: string, exchange: Exchange): void {
    const settled = sessions.unsettled(stream);
    if (!settled) return void this.#running.delete(exchange.turnId);
    const letGo = this.#unsaved.keep(stream, exchange);
    void settled.then(() => {
      letGo();
      this.#running.delete(exchange.turnId);
    });
  }
}
