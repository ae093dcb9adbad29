import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { keepEnvironmentOutOfCrashReports } from '../../crashReports.ts';
import { SharedWindows } from './sharedWindows.ts';
import { loadSilero } from './silero.ts';

/*
 * One thread for all voices. Windows that came together are one run of the model: thirty at once cost a third of what
 * they cost one by one. It must not be terminated: while the runtime works for it, that ends the whole process.
 */

keepEnvironmentOutOfCrashReports();
const port = parentPort;
if (!port) throw new Error('Voices are told from silence in a worker thread');

/** What a thread is started with. */
export interface VoiceActivityData {
  readonly memory: SharedArrayBuffer;
  readonly model: string;
}
export type ToVoiceActivity = 'ring' | 'end';
export type FromVoiceActivity = 'rung' | 'unusable';

/** From so many sessions on, windows wait this long for others. */
const MANY_SESSIONS = 8;
const GATHERING_MS = 4;

const { memory, model }: VoiceActivityData = workerData;
const windows = new SharedWindows(memory);
const say = (what: FromVoiceActivity) => port.postMessage(what);
const loading = loadSilero(model);
loading.catch(() => {
  say('unusable');
  port.close();
});

let isEnding = false;
let count = 0;
/** One after the other: the runtime is let go only when it has nothing to do. */
let last: Promise<void> = Promise.resolve();
port.on('message', (what: ToVoiceActivity) => {
  if (what === 'end') isEnding = true;
  last = last.then(isEnding ? end : work);
});

async function work(): Promise<void> {
  const silero = await loading;
  if (windows.sessions >= MANY_SESSIONS) await pause(GATHERING_MS);
  for (;;) {
    while (!isEnding && count < windows.written) {
      const size = batchAt(count, silero.most);
      for (let row = 0; row < size; row++) {
        if (windows.isFirstAt(count + row)) silero.forget(windows.slotAt(count + row));
        windows.read(count + row, silero.input, silero.placeOf(row));
        silero.take(row, windows.slotAt(count + row));
      }
      const probabilities = await silero.run(size);
      for (let row = 0; row < size; row++) windows.answer(count + row, probabilities[row] ?? 0);
      count += size;
      if (windows.ringMain()) say('rung');
    }
    windows.letModelSleep();
    if (isEnding || count === windows.written || !windows.wakeModel()) return;
  }
}

/** Of each voice one window: what it heard of it before is part of the next. */
function batchAt(from: number, most: number): number {
  const slots = new Set<number>();
  const until = Math.min(windows.written, from + most);
  for (let at = from; at < until && !slots.has(windows.slotAt(at)); at++) slots.add(windows.slotAt(at));
  return slots.size;
}

async function end(): Promise<void> {
  await (await loading).release();
  port?.close();
}
