import { jsonIn } from './boundedBody.ts';
import { classify } from './classify.ts';
import { Deadlines } from './deadlines.ts';
import { ModelFailure } from './failure.ts';
import type { AudioTranscript, ModelTimeouts, SpeechGateway } from './gateway.ts';
import { field, listOf, numberOf, textOf } from './loose.ts';
import type { OpenAiConnection } from './openaiConnection.ts';
import { callWhole } from './streaming.ts';

const TRANSCRIPTIONS = '/audio/transcriptions';
const SPEECH = '/audio/speech';
const LONGEST_TRANSCRIPT = 4 * 2 ** 20;
/** Ten minutes of speech: far more than a sentence or so. */
const LONGEST_SPEECH = 10 * 60 * 48_000;
/** Somebody waits for it, and another engine may stand in. */
const TIMEOUTS: ModelTimeouts = { connectMs: 10_000, firstPartMs: 20_000, idleMs: 10_000 };

/** The audio API of OpenAI, and of servers that are compatible with it. */
export class OpenAiSpeech implements SpeechGateway {
  readonly #connection: OpenAiConnection;

  constructor(connection: OpenAiConnection) {
    this.#connection = connection;
  }

  async transcribe(
    ...[{ model, wave, language }, signal]: Parameters<SpeechGateway['transcribe']>
  ): Promise<AudioTranscript> {
    const form = new FormData();
    form.set('file', new Blob([wave], { type: 'audio/wav' }), 'utterance.wav');
    form.set('model', model);
    if (language !== undefined) form.set('language', language);
    // Only Whisper tells of words, and only in this form; the newer models know no other than JSON.
    const isWhisper = model.startsWith('whisper');
    form.set('response_format', isWhisper ? 'verbose_json' : 'json');
    if (isWhisper) form.set('timestamp_granularities[]', 'word');
    const blamed = this.#connection.blamed(model);
    const call = { blamed, timeouts: this.#connection.timeouts(TIMEOUTS) };
    const answer = await callWhole(call, signal, async (ended) => {
      const prepared = await this.#connection.prepared(TRANSCRIPTIONS);
      return jsonIn(await prepared.upload(form, ended), blamed, LONGEST_TRANSCRIPT);
    });
    const text = textOf(field(answer, 'text'));
    if (text === undefined) throw new ModelFailure('malformed', { ...blamed, code: 'no_text' });
    return { text: text.trim(), words: listOf(field(answer, 'words')).flatMap(wordOf) };
  }

  async *speak(
    ...[{ model, text, voice, speed }, signal]: Parameters<SpeechGateway['speak']>
  ): AsyncGenerator<Uint8Array> {
    const blamed = this.#connection.blamed(model);
    using deadlines = new Deadlines(signal, this.#connection.timeouts(TIMEOUTS), blamed);
    try {
      if (deadlines.failure) throw deadlines.failure;
      const prepared = await this.#connection.prepared(SPEECH);
      const asked = { model, input: text, voice, response_format: 'pcm', ...(speed === 1 ? {} : { speed }) };
      const pieces = await prepared.post(asked, deadlines.signal);
      deadlines.answered();
      let bytes = 0;
      for await (const piece of pieces) {
        bytes += piece.byteLength;
        if (bytes > LONGEST_SPEECH) throw new ModelFailure('malformed', { ...blamed, code: 'too_large' });
        deadlines.hold();
        yield piece;
        deadlines.release();
      }
      deadlines.complete();
    } catch (error) {
      throw deadlines.failure ?? classify(error, blamed);
    }
  }
}

function wordOf(told: unknown): AudioTranscript['words'] {
  const word = textOf(field(told, 'word'));
  const start = numberOf(field(told, 'start'));
  const end = numberOf(field(told, 'end'));
  return word === undefined || start === undefined || end === undefined ? [] : [{ word, start, end }];
}
