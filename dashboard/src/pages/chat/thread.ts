import { signal } from '@preact/signals';
import { ask, Refusal } from '../../api/ask.ts';
import { listen } from '../../api/listen.ts';
import { type LogEvent, onReturn, onTopics } from '../../api/live.ts';
import { newId } from '../../api/newId.ts';
import { now } from '../../api/now.ts';
import { tell } from '../../parts/toasts.tsx';
import { erasures, ofThePath, ofTurns } from './topics.ts';
import { isOpen, newTurn, pastTurn, place, Telling, type Turn } from './turn.ts';
import { keepUnsent, letGoUnsent, type Message, unsentOf } from './unsent.ts';
import { words } from './words.ts';

const PAGE = 20;
const MOST_WAIT_MS = 8_000;

/** The conversation under one id: what was said, what is said now, here and in other tabs, and what is on its way. */
export class Thread {
  readonly sessionId: string;
  readonly turns = signal<readonly Turn[]>([]);
  readonly hasMore = signal(false);
  readonly isLoaded = signal(false);
  readonly refusal = signal<Refusal | undefined>(undefined);
  readonly #closed = new AbortController();
  readonly #ends: readonly (() => void)[];
  /** Messages of this page of which the service has not said yet which turn they are. */
  #sending = 0;
  #heard: LogEvent[] = [];
  /** Those that are listened to, or were. */
  readonly #told = new WeakSet<Turn>();
  #isFollowing = false;
  #isLoadingEarlier = false;
  #isWaiting = false;
  /** How often something was erased: of what was asked for before that, nothing is shown. */
  #timesErased = 0;

  constructor(sessionId: string) {
    this.sessionId = sessionId;
    this.#ends = [
      onTopics([...ofTurns, ...ofThePath], (event) => this.#hear(event)),
      onTopics(erasures, () => this.#letGoErased()),
      onReturn(() => void this.refresh()),
    ];
    void this.refresh().then(() => {
      for (const message of unsentOf(sessionId)) void this.#send(message);
    });
  }

  close(): void {
    this.#closed.abort();
    for (const end of this.#ends) end();
  }

  /** The newest turns, as they are now; those that run are listened to. */
  async refresh(): Promise<void> {
    const wasThere = new Set(this.turns.value);
    const timesErased = this.#timesErased;
    try {
      const asked = { sessionId: this.sessionId, limit: PAGE };
      const { turns, hasMore } = await ask('GET /api/chat/sessions/:sessionId/turns', asked);
      if (timesErased !== this.#timesErased) return;
      const before = this.turns.value;
      const known = new Map(before.map((turn) => [turn.turnId, turn]));
      const read = turns.map((one) => {
        const same = known.get(one.turnId);
        // One that is being told here knows more than what was read.
        const isKnown = same && (isOpen(same) || (this.#told.has(same) && !same.isSpoken));
        // It may have ended since this was read.
        if (isKnown && !isOpen(same) && one.state !== 'running') same.state.value = one.state;
        if (same) place(same, one);
        return isKnown || (same && same.state.value === one.state && !same.isSpoken) ? same : pastTurn(one);
      });
      const ids = new Set(read.map(({ turnId }) => turnId));
      const oldest = before.findIndex(({ turnId }) => turnId !== undefined && ids.has(turnId));
      const older = hasMore ? before.slice(0, Math.max(0, oldest)) : [];
      // Said here while it was read, or about to be taken.
      const isNewer = (turn: Turn) => isOpen(turn) || turn.turnId === undefined || !wasThere.has(turn);
      const rest = before.slice(older.length);
      const newer = rest.filter((turn) => isNewer(turn) && !ids.has(turn.turnId ?? turn.key));
      this.turns.value = [...older, ...read, ...newer];
      if (older.length === 0) this.hasMore.value = hasMore;
      this.refusal.value = undefined;
      this.isLoaded.value = true;
      void this.#followRunning();
    } catch (error) {
      const refusal = error instanceof Refusal ? error : new Refusal(0, {});
      this.refusal.value = refusal;
      if (!refusal.mayPass || this.#isWaiting) return;
      this.#isWaiting = true;
      await this.#pause(3, refusal.retryAfter);
      this.#isWaiting = false;
      if (!this.#closed.signal.aborted) await this.refresh();
    }
  }

  /** One page further back; `whenRead` is called right before it is shown. */
  async readEarlier(whenRead: () => void): Promise<void> {
    const before = this.turns.value.find(({ turnId }) => turnId !== undefined)?.turnId;
    if (this.#isLoadingEarlier || !this.hasMore.value || before === undefined) return;
    this.#isLoadingEarlier = true;
    const timesErased = this.#timesErased;
    try {
      const asked = { sessionId: this.sessionId, limit: PAGE, before };
      const { turns, hasMore } = await ask('GET /api/chat/sessions/:sessionId/turns', asked);
      if (timesErased !== this.#timesErased) return;
      whenRead();
      this.turns.value = [...turns.map(pastTurn), ...this.turns.value];
      this.hasMore.value = hasMore;
    } catch {
      // Scrolling there again asks again.
    } finally {
      this.#isLoadingEarlier = false;
    }
  }

  say(message: Omit<Message, 'key' | 'at'>): void {
    const kept = { ...message, key: newId(), at: now() };
    keepUnsent(this.sessionId, kept);
    void this.#send(kept);
  }

  /** Ends what runs and what waits for it, the last first, so that none of it begins. */
  async stop(): Promise<void> {
    for (const { key, turnId, state, refusal } of this.turns.value.filter(isOpen).toReversed()) {
      if (turnId === undefined) {
        // It is not sent any more, and where it is on its way, it ends as soon as it has arrived.
        letGoUnsent(this.sessionId, key);
        state.value = 'cancelled';
        refusal.value = undefined;
        continue;
      }
      const { cancelled } = await ask('DELETE /api/chat/stream/:turnId', { turnId });
      if (cancelled) state.value = 'cancelled';
    }
  }

  /** The conversation leads through another version. What runs is stopped, as it would go on where nobody sees it. */
  async choose(turnId: string): Promise<unknown> {
    await this.stop();
    const chosen = { sessionId: this.sessionId, turnId };
    const done = await ask('PUT /api/chat/sessions/:sessionId/branch', chosen);
    await this.refresh();
    return done;
  }

  /** A message that was refused is sent once more. */
  again({ key }: Turn): void {
    const message = unsentOf(this.sessionId).find((one) => one.key === key);
    this.#drop(key);
    if (message) void this.#send(message);
  }

  /** The turn that it was to replace, if any. */
  letGo({ key }: Turn): string | undefined {
    const message = unsentOf(this.sessionId).find((one) => one.key === key);
    letGoUnsent(this.sessionId, key);
    this.#drop(key);
    return message?.replaces;
  }

  #drop(key: string): void {
    this.turns.value = this.turns.value.filter((turn) => turn.key !== key);
  }

  /** Until the service has taken it, and then until it is over. Said twice under one key, it is one turn. */
  async #send({ key, at, text, images, replaces }: Message): Promise<void> {
    const said = {
      key,
      at,
      text,
      images,
      imageCount: images.length,
      origin: 'user' as const,
      isSpoken: false,
    };
    const turn = newTurn({ ...said, turnId: undefined }, 'sending');
    const before = this.turns.value;
    const replaced = before.findIndex(({ turnId }) => turnId !== undefined && turnId === replaces);
    const telling = new Telling(turn);
    const files = images.map((image) => ({ ...image }));
    const input = { text, sessionId: this.sessionId, files, ...(replaces === undefined ? {} : { replaces }) };
    const onHeaders = (headers: Headers) => {
      letGoUnsent(this.sessionId, key);
      turn.turnId = headers.get('x-turn-id') ?? undefined;
      // Stopped on its way, it runs until the service hears of that.
      const isUnwanted = !isOpen(turn);
      turn.state.value = 'running';
      if (isUnwanted) void this.stop().catch(() => undefined);
      this.#told.add(turn);
      this.turns.value = this.turns.value.filter((one) => one === turn || one.turnId !== turn.turnId);
      if (replaces === undefined) return;
      void this.refresh();
      tell(words.replaced, () => this.choose(replaces));
    };
    const stopped = replaces === undefined ? undefined : this.stop();
    this.turns.value = [...before.slice(0, replaced === -1 ? undefined : replaced), turn];
    this.#sending++;
    let lastId: string | undefined;
    for (let tries = 0; !this.#closed.signal.aborted && turn.turnId === undefined && isOpen(turn); tries++) {
      try {
        await stopped;
        const options = { headers: { 'idempotency-key': key }, signal: this.#closed.signal, onHeaders };
        for await (const { id, data } of listen('POST /api/chat/stream', input, options)) {
          if (lastId === undefined) this.#taken();
          lastId = id;
          telling.take(data);
        }
      } catch (error) {
        if (turn.turnId !== undefined || !isOpen(turn)) break;
        const refusal = error instanceof Refusal ? error : new Refusal(0, {});
        if (!refusal.mayPass) {
          turn.refusal.value = refusal;
          turn.state.value = 'unsent';
          this.#taken();
          if (replaced !== -1) void this.refresh();
          return;
        }
        turn.refusal.value = refusal;
        await this.#pause(tries, refusal.retryAfter);
      }
    }
    turn.refusal.value = undefined;
    if (lastId === undefined) this.#taken();
    if (isOpen(turn)) await this.#follow(turn, telling, lastId);
    void this.#followRunning();
  }

  /** What was heard meanwhile can be told from what was said here. */
  #taken(): void {
    this.#sending--;
    if (this.#sending > 0) return;
    const heard = this.#heard;
    this.#heard = [];
    for (const event of heard) this.#hear(event);
  }

  #hear(event: LogEvent): void {
    const data = isRecord(event.data) ? event.data : {};
    if (data.sessionId !== this.sessionId) return;
    if (ofThePath.includes(event.type)) return void this.refresh();
    if (typeof data.turnId !== 'string') return;
    if (event.type === 'chat.reply.heard') return void (data.isLast === true && this.refresh());
    if (this.#sending > 0) return void this.#heard.push(event);
    const known = this.turns.value.find((turn) => turn.turnId === data.turnId);
    if (!known) void this.refresh();
    else if (event.type === 'chat.turn.cancelled') known.state.value = 'cancelled';
  }

  /** Which of them are erased is not said: all go, and what can still be read comes again. */
  #letGoErased(): void {
    this.#timesErased++;
    this.isLoaded.value = false;
    this.turns.value = this.turns.value.filter((turn) => isOpen(turn) || turn.turnId === undefined);
    void this.refresh();
  }

  /** One after the other, as they run: each takes a connection. */
  async #followRunning(): Promise<void> {
    if (this.#isFollowing) return;
    this.#isFollowing = true;
    for (;;) {
      const turn = this.turns.value.find((one) => one.state.value === 'running' && !this.#told.has(one));
      if (!turn || this.#closed.signal.aborted) break;
      await this.#follow(turn, new Telling(turn), undefined);
    }
    this.#isFollowing = false;
  }

  /** To its end, also when the stream is lost on the way: it goes on behind what was told last. */
  async #follow(turn: Turn, telling: Telling, after: string | undefined): Promise<void> {
    const { turnId } = turn;
    if (turnId === undefined) return;
    this.#told.add(turn);
    let lastId = after;
    for (let tries = 0; isOpen(turn) && !this.#closed.signal.aborted; tries++) {
      let seconds: number | undefined;
      try {
        const headers: Record<string, string> = lastId === undefined ? {} : { 'last-event-id': lastId };
        const options = { headers, signal: this.#closed.signal };
        for await (const { id, data } of listen('GET /api/chat/stream/:turnId', { turnId }, options)) {
          lastId = id;
          tries = 0;
          telling.take(data);
        }
      } catch (error) {
        if (error instanceof Refusal) {
          if (error.status === 404) turn.state.value = 'interrupted';
          seconds = error.retryAfter;
        }
      }
      if (isOpen(turn)) await this.#pause(tries, seconds);
    }
  }

  async #pause(tries: number, seconds?: number): Promise<void> {
    const ms = seconds === undefined ? Math.min(MOST_WAIT_MS, 300 * 2 ** tries) : seconds * 1_000;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    const end = onReturn(resolve);
    await promise;
    clearTimeout(timer);
    end();
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
