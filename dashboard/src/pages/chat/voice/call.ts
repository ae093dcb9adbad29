import { signal } from '@preact/signals';
import { apiKey } from '../../../api/key.ts';
import { onDevice } from '../../../state/kept.ts';
import { BEGINS, ENDS, microphoneFrame, speechIn } from './frames.ts';
import { type Heard, RATE, Sound } from './sound.ts';

/** Left in this way, the conversation goes on without a voice. */
const LEFT = 3_000;
const TRIES = 6;
const NAME = 'hark.handsFree';

export type CallState = 'connecting' | 'listening' | 'thinking' | 'speaking' | 'idle' | 'ended';

/** What the service says, as far as this page listens to it. */
interface ServiceEvent {
  readonly type: string;
  readonly state?: CallState;
  readonly delta?: string;
  readonly session?: { readonly id?: string };
  readonly response?: { readonly id: string; readonly status?: string };
  readonly error?: { readonly message: string };
}

/** A conversation by voice, from the page to `/ws/audio`. */
export class Call {
  readonly state = signal<CallState>('connecting');
  readonly level = signal(0);
  /** Words of the utterance that goes on, as they are understood. */
  readonly words = signal('');
  readonly error = signal<string | undefined>(undefined);
  readonly isHandsFree = signal(onDevice.get(NAME) !== 'false');
  readonly isPressed = signal(false);
  readonly #onSession: (sessionId: string) => void;
  #sessionId: string | undefined;
  #sound: Sound | undefined;
  #socket: WebSocket | undefined;
  #tries = 0;
  #isOver = false;
  #sequence = 0;
  #offset = 0;
  #begins = false;
  #responseId: string | undefined;
  #told = 0;

  /** In this session, or in one that the service begins. */
  constructor(sessionId: string | undefined, onSession: (sessionId: string) => void) {
    this.#sessionId = sessionId;
    this.#onSession = onSession;
  }

  get sessionId(): string | undefined {
    return this.#sessionId;
  }

  /** Throws where there is no microphone, or it may not be used. */
  async start(): Promise<void> {
    const sound = await Sound.open((heard) => this.#hear(heard));
    if (this.#isOver) return sound.close();
    this.#sound = sound;
    this.#connect();
  }

  setHandsFree(isOn: boolean): void {
    onDevice.set(NAME, String(isOn));
    this.isHandsFree.value = isOn;
    this.#begins = true;
    this.#tellMode();
  }

  /** Push to talk. What hark says ends. */
  press(): void {
    if (this.isPressed.value) return;
    this.interrupt();
    this.isPressed.value = true;
    this.#begins = true;
  }

  release(): void {
    if (!this.isPressed.value) return;
    this.isPressed.value = false;
    this.#send(new ArrayBuffer(0), ENDS);
  }

  interrupt(): void {
    if (this.#responseId === undefined) return;
    this.#tell({ type: 'response.cancel' });
    this.#sound?.cut();
  }

  leave(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.state.value = 'ended';
    this.#socket?.close(LEFT, 'left');
    this.#sound?.close();
  }

  #connect(): void {
    const url = new URL('/ws/audio', location.href);
    url.protocol = url.protocol.replace('http', 'ws');
    if (this.#sessionId !== undefined) url.searchParams.set('session', this.#sessionId);
    const key = apiKey();
    const socket = new WebSocket(url, [
      'hark.v1',
      ...(key ? [`service-key.${encodeURIComponent(key)}`] : []),
    ]);
    socket.binaryType = 'arraybuffer';
    this.#socket = socket;
    this.#sequence = 0;
    this.#offset = 0;
    socket.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
      if (typeof data === 'string') this.#take(JSON.parse(data));
      else this.#sound?.play(speechIn(data));
    };
    socket.onclose = ({ code, reason }) => this.#closed(code, reason);
  }

  #take(event: ServiceEvent): void {
    switch (event.type) {
      case 'session.created':
        this.#tries = 0;
        this.error.value = undefined;
        this.#tellMode();
        this.#enter(event.session?.id);
        break;
      case 'hark.state':
        if (event.state && !this.#isOver) this.state.value = event.state;
        break;
      case 'input_audio_buffer.speech_started':
        this.words.value = '';
        break;
      case 'conversation.item.input_audio_transcription.delta':
        this.words.value += event.delta ?? '';
        break;
      case 'conversation.item.input_audio_transcription.completed':
      case 'conversation.item.input_audio_transcription.failed':
        this.words.value = '';
        break;
      case 'response.created':
        this.#responseId = event.response?.id;
        this.#told = 0;
        this.#sound?.begin();
        break;
      case 'response.done':
        if (event.response?.status === 'cancelled') this.#sound?.cut();
        break;
      case 'error':
        this.error.value = event.error?.message;
        break;
    }
  }

  /** Come back to after the connection was lost, it is the same: nobody is led anywhere, and no draft is moved. */
  #enter(sessionId: string | undefined): void {
    if (sessionId === undefined || sessionId === this.#sessionId) return;
    this.#sessionId = sessionId;
    this.#onSession(sessionId);
  }

  #hear({ heard, level, played }: Heard): void {
    const isOpen = this.isHandsFree.value || this.isPressed.value;
    this.level.value = isOpen ? Math.min(1, level * 4) : 0;
    if (isOpen) this.#send(heard, 0);
    this.#tellPlayed(played);
  }

  #send(samples: ArrayBuffer, flags: number): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    const begins = this.#begins ? BEGINS : 0;
    this.#begins = false;
    const place = { flags: flags | begins, sequence: this.#sequence++, offset: this.#offset };
    this.#offset += samples.byteLength / 2;
    this.#socket.send(microphoneFrame(samples, place));
  }

  /** How far it has been heard: what was not is not remembered as said. */
  #tellPlayed(played: number): void {
    if (this.#responseId === undefined || played - this.#told < RATE / 5) return;
    this.#told = played;
    this.#tell({
      type: 'hark.playback',
      responseId: this.#responseId,
      playedMs: Math.round((played / RATE) * 1_000),
    });
  }

  #tellMode(): void {
    const detection = this.isHandsFree.value ? { type: 'semantic_vad' } : null;
    const input = { turn_detection: detection };
    this.#tell({ type: 'session.update', session: { type: 'realtime', audio: { input } } });
  }

  #tell(event: object): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(event));
  }

  /** Whoever loses the connection has a minute to come back. */
  #closed(code: number, reason: string): void {
    if (this.#isOver) return;
    const isFinal = code === 1000 || code === 1008 || ++this.#tries > TRIES;
    if (isFinal) {
      this.error.value = reason === '' ? undefined : reason;
      this.leave();
      return;
    }
    this.state.value = 'connecting';
    setTimeout(() => !this.#isOver && this.#connect(), 250 * 2 ** this.#tries);
  }
}
