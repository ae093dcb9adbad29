import { parentPort } from 'node:worker_threads';
import { countTokens, setMergeCacheSize } from 'gpt-tokenizer/encoding/o200k_base';
import { keepEnvironmentOutOfCrashReports } from '../../crashReports.ts';
import type { FromThread, ThreadRequest } from '../../restingThread.ts';
import { pieces } from './pieces.ts';

/* A thread of its own, since the table of tokens takes 130 ms and 90 MB to load. */

keepEnvironmentOutOfCrashReports();
const port = parentPort;
if (!port) throw new Error('Tokens are counted in a worker thread');

const WORDS_REMEMBERED = 20_000;
/** What looks like a special token is text like any other. */
const asText = { disallowedSpecial: new Set<string>() };

setMergeCacheSize(WORDS_REMEMBERED);
port.postMessage('ready' satisfies FromThread<readonly number[]>);
port.on('message', ({ id, job: texts }: ThreadRequest<readonly string[]>) => {
  const answer = texts.map((text) =>
    pieces(text).reduce((sum, piece) => sum + countTokens(piece, asText), 0),
  );
  port.postMessage({ id, answer } satisfies FromThread<readonly number[]>);
});
