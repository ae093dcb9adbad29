import { z } from 'zod';
import { CliFailure } from '../failure.ts';
import { print, printJsonLine, prose, toned } from '../output.ts';
import type { Speaker } from './speaker.ts';
import { clearState, showState } from './stateLine.ts';
import type { LineEvent, VoiceLine } from './voiceLine.ts';

const PLAYED_EVERY_MS = 200;

const created = z.object({ session: z.object({ id: z.string() }) });
const state = z.object({ state: z.enum(['listening', 'thinking', 'speaking', 'idle']) });
const transcript = z.object({ transcript: z.string() });
const delta = z.object({ delta: z.string(), item_id: z.string().optional() });
const response = z.object({
  response: z.object({
    id: z.string(),
    status: z.string().optional(),
    status_details: z
      .looseObject({ reason: z.string().optional(), error: z.looseObject({ code: z.string() }).optional() })
      .nullish(),
  }),
});
const failure = z.object({ error: z.object({ code: z.string().nullish(), message: z.string() }) });

/** What to do about it. */
const hints: Readonly<Record<string, readonly string[]>> = {
  STT_UNAVAILABLE: ['see what there is with hark models list --type stt'],
  TTS_UNAVAILABLE: ['see what there is with hark models list --type tts'],
};

type State = z.output<typeof state>['state'];

interface SpokenChatOptions {
  readonly speaker: Speaker;
  readonly json: boolean;
}

/** A conversation by voice, as somebody at a terminal follows it. */
export class SpokenChat {
  readonly #options: SpokenChatOptions;
  readonly #over = Promise.withResolvers<never>();
  #line: VoiceLine | undefined;
  #responseId: string | undefined;
  #said = '';
  /** Of what is being said: a reply may have several, with tools between them. */
  #itemId: string | undefined;
  #reports: NodeJS.Timeout | undefined;
  #answered: PromiseWithResolvers<string> | undefined;
  #isFinishing = false;
  sessionId: string | undefined;
  state: State = 'idle';

  constructor(options: SpokenChatOptions) {
    this.#options = options;
    this.#over.promise.catch(() => undefined);
  }

  /** hark is speaking, or what it said is still being played. */
  get isSpeaking(): boolean {
    return this.#responseId !== undefined || this.#isFinishing;
  }

  /** Rejects when the connection is lost. */
  get lost(): Promise<never> {
    return this.#over.promise;
  }

  follow(line: VoiceLine): void {
    this.#line = line;
  }

  /** The reply to what is said next; rejects where there is none. */
  async reply(): Promise<string> {
    const answered = Promise.withResolvers<string>();
    this.#answered = answered;
    return Promise.race([answered.promise, this.#over.promise]);
  }

  /** What hark says now is not wanted. */
  interrupt(): void {
    if (!this.isSpeaking) return;
    this.#reportPlayed();
    this.#line?.tell({ type: 'response.cancel' });
    this.#line?.tell({ type: 'output_audio_buffer.clear' });
    this.#options.speaker.cut();
  }

  /** Nothing more is told, on either side. */
  end(): void {
    clearInterval(this.#reports);
    this.#options.speaker.cut();
  }

  onSpeech(samples: Int16Array): void {
    if (this.#responseId !== undefined) this.#options.speaker.play(samples);
  }

  onLost(reason: string): void {
    clearInterval(this.#reports);
    this.#over.reject(new CliFailure(`The connection was lost (${reason})`));
  }

  onEvent(event: LineEvent): void {
    this.#takers[event.type]?.(event);
  }

  readonly #takers: Readonly<Record<string, (event: LineEvent) => void>> = {
    'session.created': (event) => {
      this.sessionId = created.safeParse(event).data?.session.id;
      if (this.#options.json) printJsonLine({ type: 'session', sessionId: this.sessionId });
    },
    'hark.state': (event) => {
      const { data } = state.safeParse(event);
      if (!data) return;
      this.state = data.state;
      if (this.#options.json) printJsonLine({ type: 'state', state: data.state });
      else showState(data.state);
    },
    'conversation.item.input_audio_transcription.completed': (event) => {
      const { transcript: text = '' } = transcript.safeParse(event).data ?? {};
      if (text.trim() === '') {
        this.#answered?.reject(new CliFailure('No words were understood'));
        return;
      }
      this.#show('you', 'transcript', text);
    },
    'conversation.item.input_audio_transcription.failed': (event) => this.#fail(event),
    'response.created': (event) => {
      const id = response.safeParse(event).data?.response.id;
      if (id === undefined) return;
      this.#responseId = id;
      this.#said = '';
      this.#options.speaker.begin();
      clearInterval(this.#reports);
      this.#reports = setInterval(() => this.#reportPlayed(), PLAYED_EVERY_MS);
    },
    'response.output_audio_transcript.delta': (event) => this.#addSaid(event),
    'response.output_text.delta': (event) => this.#addSaid(event),
    'response.done': (event) => {
      const done = response.safeParse(event).data?.response;
      if (done) void this.#finish(done);
    },
    error: (event) => this.#fail(event),
  };

  #addSaid(event: LineEvent): void {
    const { data } = delta.safeParse(event);
    if (!data) return;
    if (this.#said !== '' && data.item_id !== this.#itemId) this.#said += ' ';
    this.#itemId = data.item_id;
    this.#said += data.delta;
  }

  async #finish({ id, status, status_details: why }: z.output<typeof response>['response']): Promise<void> {
    if (id !== this.#responseId) return;
    const isWhole = status === 'completed' || status === undefined;
    const said = this.#said.trim();
    const { speaker, json } = this.#options;
    this.#isFinishing = true;
    this.#responseId = undefined;
    if (isWhole) await speaker.finish();
    else speaker.cut();
    clearInterval(this.#reports);
    this.#line?.tell({ type: 'hark.playback', responseId: id, playedMs: speaker.heardMs() });
    this.#isFinishing = this.#responseId !== undefined;
    if (said !== '' || json) this.#show('hark', 'reply', isWhole ? said : `${said} …`, isWhole);
    if (isWhole) this.#answered?.resolve(said);
    else
      this.#answered?.reject(
        new CliFailure(`There is no reply: ${why?.error?.code ?? why?.reason ?? status}`),
      );
  }

  #reportPlayed(): void {
    const responseId = this.#responseId;
    if (responseId === undefined) return;
    this.#line?.tell({ type: 'hark.playback', responseId, playedMs: this.#options.speaker.heardMs() });
  }

  #fail(event: LineEvent): void {
    const { code, message = 'the service could not do that' } = failure.safeParse(event).data?.error ?? {};
    const told = [...(code ? [code] : []), message, ...(hints[code ?? ''] ?? [])].join(': ');
    if (this.#answered) this.#answered.reject(new CliFailure(told));
    else if (this.#options.json) printJsonLine({ type: 'error', code, message });
    else this.#print(toned('red', prose(told)));
  }

  #show(who: 'you' | 'hark', type: 'transcript' | 'reply', text: string, isWhole = true): void {
    if (this.#options.json) printJsonLine({ type, text, ...(isWhole ? {} : { interrupted: true }) });
    else this.#print(`${toned('bold', `${who}:`)} ${prose(text)}`);
  }

  #print(line: string): void {
    clearState();
    print(line);
    showState(this.state);
  }
}
