import { randomBytes } from 'node:crypto';
import type {
  VoiceCaller,
  VoiceConnection,
  VoiceConversation,
  VoiceEvent,
} from '../../application/voice/conversation.ts';
import type { Logger } from '../../logger.ts';
import { withoutAudio } from './appended.ts';
import { AudioWriter } from './audio/formats.ts';
import { FrameWriter, STREAMS } from './audioFrames.ts';
import { Captured, type CaptureParts } from './captured.ts';
import type { Connection, Receiver } from './connection.ts';
import { type ClientEvent, eventIn, parseSent, type SentEvent } from './events/clientEvents.ts';
import { itemOf, shownItem } from './events/items.ts';
import { type ResponseFacts, shownEvent, shownPlace } from './events/serverEvents.ts';
import { WireError, wireErrorOf } from './events/wireError.ts';
import { SentAudio } from './sentAudio.ts';
import { asOptions, ConnectionSettings, type Wire } from './settings.ts';

/** Longer ones have their audio cut out first, or are refused. */
const LONG_EVENT_BYTES = 32_768;
const MOST_EVENT_BYTES = 1_048_576;
const MOST_FRAME_ERRORS = 3;
const ENDED = 1000;
const NO_CODE = 1005;
const POLICY = 1008;

interface DialogueOptions {
  readonly wire: Wire;
  readonly model: string;
  readonly caller: VoiceCaller;
  readonly capturing: CaptureParts;
  readonly log: Pick<Logger, 'error'>;
}

/** What one client and its conversation say to each other, in the events of OpenAI's Realtime API and in frames. */
export class Dialogue implements Receiver {
  readonly settings: ConnectionSettings;
  readonly #options: DialogueOptions;
  readonly #captured: Captured;
  #hasLeft = false;
  readonly #idsBegin = `event_${randomBytes(8).toString('hex')}`;
  #ids = 0;
  /** What is told before anybody is there. */
  #early: VoiceEvent[] | undefined = [];
  #connection: Connection | undefined;
  #taken: VoiceConnection | undefined;
  readonly #audio: SentAudio;
  #writer: AudioWriter;
  readonly #frames = new FrameWriter(STREAMS.speech);
  #frameErrors = 0;

  constructor(options: DialogueOptions) {
    this.#options = options;
    this.settings = new ConnectionSettings(options.wire, options.model);
    this.#writer = new AudioWriter(this.settings.own.output);
    this.#captured = new Captured({
      ...options.capturing,
      // What was recorded is brought, whether or not who recorded it waits for it.
      by: { ...options.caller, signal: new AbortController().signal },
      onRefusal: (error) => this.#refuseCaptured(error),
    });
    this.#audio = new SentAudio({
      ...{ settings: this.settings, captured: this.#captured },
      conversation: () => this.#conversation,
      send: (event) => this.#send(event),
    });
  }

  begin(connection: Connection, taken: VoiceConnection): void {
    this.#connection = connection;
    this.#taken = taken;
    const { conversation } = taken;
    this.#send({ type: 'session.created', session: this.#session(conversation) });
    const early = this.#early ?? [];
    this.#early = undefined;
    for (const event of early) this.tell(event);
  }

  /** In order, as the conversation tells it. */
  readonly tell = (event: VoiceEvent): void => {
    if (this.#early) {
      this.#early.push(event);
      return;
    }
    switch (event.type) {
      case 'audio':
        this.#tellAudio(event);
        break;
      case 'ended':
        this.#connection?.close(ENDED, 'The session has ended');
        break;
      case 'error':
        this.#sendError(new WireError(event.code, event.message, { isOurs: true }), event.eventId ?? null);
        break;
      case 'transcript':
      case 'transcript_delta':
      case 'transcript_failed':
        if (this.settings.wantsTranscripts) this.#send(shownEvent(event, this.#factsOf));
        break;
      case 'audio_done':
        if (this.#options.wire === 'frames')
          this.#connection?.send(this.#frames.write(new Uint8Array(), { ends: true }));
        this.#send(shownEvent(event, this.#factsOf));
        break;
      default:
        this.#send(shownEvent(event, this.#factsOf));
    }
  };

  text(data: Buffer): Promise<void> | undefined {
    let sent: SentEvent | undefined;
    try {
      const parted = data.length > LONG_EVENT_BYTES ? withoutAudio(data) : undefined;
      if ((parted?.rest ?? data).length > MOST_EVENT_BYTES)
        throw new WireError('event_too_large', `Events without audio hold ${MOST_EVENT_BYTES} bytes at most`);
      sent = parseSent(parted?.rest ?? data.toString());
      const { eventId, body } = sent;
      if (body.type === 'input_audio_buffer.append')
        return this.#audio
          .append(parted?.audio ?? body.audio)
          ?.catch((error) => this.#refuse(error, eventId));
      if (parted)
        throw new WireError('invalid_value', 'audio belongs to input_audio_buffer.append', {
          param: 'audio',
        });
      this.#do(eventIn(sent), sent);
    } catch (error) {
      this.#refuse(error, sent?.eventId ?? null);
    }
    return undefined;
  }

  binary(data: Buffer): undefined {
    try {
      if (this.#options.wire !== 'frames') throw new RangeError('Frames are taken on /ws/audio');
      this.#audio.hearFrame(data);
    } catch (error) {
      if (!(error instanceof RangeError)) {
        this.#refuse(error, null);
        return;
      }
      this.#sendError(new WireError('invalid_frame', error.message), null);
      if (++this.#frameErrors >= MOST_FRAME_ERRORS) this.#connection?.close(POLICY, 'Too many bad frames');
    }
  }

  /** Who says goodbye has ended the conversation; who is cut off may come back. */
  left(code: number): void {
    this.#captured.flush();
    this.#taken?.leave(code === ENDED || code === NO_CODE);
    this.#hasLeft = true;
  }

  get #conversation(): VoiceConversation {
    if (!this.#taken) throw new TypeError('Nobody is there yet');
    return this.#taken.conversation;
  }

  #do(event: ClientEvent, { body }: SentEvent): void {
    const conversation = this.#conversation;
    switch (event.type) {
      case 'session.update':
        this.#update(event, Object(body.session));
        break;
      case 'input_audio_buffer.append':
        break;
      case 'input_audio_buffer.commit':
        conversation.commit();
        break;
      case 'input_audio_buffer.clear':
        conversation.clear();
        break;
      case 'output_audio_buffer.clear':
        conversation.stopSpeaking();
        break;
      case 'conversation.item.create': {
        const { previous_item_id: after } = event;
        conversation.add(itemOf(event.item), after === 'root' ? null : (after ?? undefined));
        break;
      }
      case 'conversation.item.retrieve':
        this.#retrieve(event.item_id);
        break;
      case 'conversation.item.delete':
        conversation.remove(event.item_id);
        break;
      case 'conversation.item.truncate':
        conversation.truncate(event.item_id, event.audio_end_ms);
        break;
      case 'response.create':
        this.#respond(event.response ?? {});
        break;
      case 'response.cancel':
        conversation.cancel(event.response_id ?? undefined);
        break;
      case 'hark.playback':
        conversation.played(event.responseId, event.playedMs);
        break;
    }
  }

  #update(
    { session }: Extract<ClientEvent, { readonly type: 'session.update' }>,
    given: Readonly<Record<string, unknown>>,
  ): void {
    const { options, own } = this.settings.changed(session, given);
    const before = this.settings.own;
    this.#conversation.configure(options);
    if (own.captureStreamId !== before.captureStreamId) this.#captured.flush();
    this.settings.take(own);
    if (own.input !== before.input) this.#audio.changeFormat();
    if (own.output !== before.output) this.#writer = new AudioWriter(own.output);
    this.#send({ type: 'session.updated', session: this.#session(this.#conversation) });
  }

  #retrieve(itemId: string): void {
    const item = this.#conversation.find(itemId);
    if (!item) throw new WireError('item_not_found', 'There is no such item', { param: 'item_id' });
    this.#send({ type: 'conversation.item.retrieved', item: shownItem(item) });
  }

  #respond(asked: NonNullable<Extract<ClientEvent, { readonly type: 'response.create' }>['response']>): void {
    const voice = asked.audio?.output?.voice ?? asked.voice;
    const metadata = asked.metadata ? { metadata: asked.metadata } : {};
    this.#conversation.respond({ ...asOptions(asked), ...(voice ? { voice } : {}), ...metadata });
  }

  #tellAudio({ place, samples, isFirst }: Extract<VoiceEvent, { readonly type: 'audio' }>): void {
    const audio = this.#writer.write(samples, this.#conversation.options.speechRate);
    if (this.#options.wire === 'frames') {
      this.#connection?.send(this.#frames.write(audio, { begins: isFirst }));
      return;
    }
    // Neither base64 nor ids have letters that JSON would write otherwise.
    const { response_id, item_id, output_index, content_index } = shownPlace(place);
    this.#connection?.send(
      `{"type":"response.output_audio.delta","event_id":"${this.#eventId()}","response_id":"${response_id}",` +
        `"item_id":"${item_id}","output_index":${output_index},"content_index":${content_index},` +
        `"delta":"${audio.toString('base64')}"}`,
    );
  }

  readonly #factsOf = (): ResponseFacts => {
    const { sessionId, options } = this.#conversation;
    return {
      conversationId: `conv_${sessionId}`,
      audio: { output: this.settings.speech(options) },
      modality: options.modality,
      mostOutputTokens: options.mostOutputTokens ?? 'inf',
    };
  };

  #session({ sessionId, options }: VoiceConversation): Record<string, unknown> {
    return this.settings.view(sessionId, options);
  }

  #refuseCaptured(error: unknown): void {
    const slow = new WireError('capture_too_fast', 'Segments come faster than they can be kept');
    this.#refuse(error ?? slow, null);
  }

  #refuse(thrown: unknown, eventId: string | null): void {
    const known = wireErrorOf(thrown);
    if (!known && !this.#hasLeft) {
      const { correlationId } = this.#options.caller;
      this.#options.log.error({ err: thrown, correlationId }, 'an event failed');
    }
    this.#sendError(known ?? new WireError('internal_error', 'Internal error', { isOurs: true }), eventId);
  }

  #sendError({ code, message, param, isOurs }: WireError, eventId: string | null): void {
    const type = isOurs ? 'server_error' : 'invalid_request_error';
    this.#send({ type: 'error', error: { type, code, message, param, event_id: eventId } });
  }

  #send({ type, ...body }: Readonly<Record<string, unknown>> & { readonly type: string }): void {
    this.#connection?.send(JSON.stringify({ type, event_id: this.#eventId(), ...body }));
  }

  #eventId(): string {
    return this.#idsBegin + (this.#ids++).toString(36).padStart(4, '0');
  }
}
