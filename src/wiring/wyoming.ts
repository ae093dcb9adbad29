import { createHash, randomUUID } from 'node:crypto';
import { SentenceCutter } from '../application/voice/sentences.ts';
import { speakable } from '../application/voice/speakable.ts';
import { SPOKEN } from '../application/voice/voiceTurn.ts';
import { type Config, wyomingHost } from '../config.ts';
import { refusalOf } from '../interfaces/operations/chatShapes.ts';
import type { WyomingParts } from '../interfaces/wyoming/connection.ts';
import { WyomingServer } from '../interfaces/wyoming/server.ts';
import type { Logger } from '../logger.ts';
import { replyIn } from '../projections/chat/conversation.ts';
import type { VoiceStatistics } from '../voiceStatistics.ts';
import type { Chat } from './chat.ts';
import type { Speech } from './speech.ts';

interface WyomingOptions {
  readonly config: Config;
  readonly version: string;
  readonly log: Logger;
  readonly voiceStatistics: VoiceStatistics;
  readonly speech: Pick<Speech, 'ears' | 'mouth' | 'wakeWords' | 'catalog'>;
  readonly chat: Pick<Chat, 'turns' | 'endSession'>;
}

/** The wiring of what Home Assistant asks. It speaks for the user of requests that name none. */
export async function listenToWyoming(options: WyomingOptions, port: number, mayAsk: WyomingParts['mayAsk']) {
  const { config, speech, chat, voiceStatistics: statistics, version, log } = options;
  const userId = config.SERVICE_USER_ID;
  const onFailure = (what: string, err: unknown) => log.warn({ what, err }, 'failed for a Wyoming client');
  const server = new WyomingServer({
    parts: {
      ears: speech.ears,
      mouth: speech.mouth,
      wakeWords: speech.wakeWords,
      catalog: () => speech.catalog(),
      handle: (said) => answer(chat, userId, said),
      mayAsk,
      sentences: speakableSentences,
      statistics,
      version,
      onFailure,
    },
    onEnd: (connectionId) => {
      const whose = { userId, correlationId: randomUUID() };
      chat.endSession(whose, sessionOf(connectionId)).catch((error) => onFailure('end of a session', error));
    },
  });
  return { port: await server.listen(port, wyomingHost(config)), stop: () => server.stop() };
}

async function answer(
  { turns }: WyomingOptions['chat'],
  userId: string,
  { text, connectionId, conversationId, signal }: Parameters<WyomingParts['handle']>[0],
): Promise<string> {
  const asked = {
    ...{ text, userId, correlationId: randomUUID(), images: [] },
    ...{ platform: 'voice', origin: 'user' as const, source: 'wyoming' },
    sessionId: sessionOf(conversationId ?? connectionId),
    given: { demand: SPOKEN, manner: {} },
  };
  const { ended } = await turns.begin(asked, signal);
  const exchange = await ended;
  if (exchange.end?.as !== 'replied') throw refusalOf(exchange.end, 'CHAT_FAILED');
  return replyIn(exchange);
}

/** Clients name conversations as they like. */
function sessionOf(name: string): string {
  const isId = /^[a-zA-Z0-9_-]{1,100}$/.test(name);
  return `wyoming-${isId ? name : createHash('sha256').update(name).digest('hex').slice(0, 32)}`;
}

function speakableSentences() {
  const cutter = new SentenceCutter();
  const spoken = (sentences: readonly { readonly text: string }[]) =>
    sentences.map(({ text }) => speakable(text)).filter((text) => text !== '');
  return {
    push: (text: string) => spoken(cutter.push(text)),
    end: () => spoken(cutter.end()),
  };
}
