import { readFile, writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { z } from 'zod';
import { readWave, writeWave } from '../../../gateways/speech/wave.ts';
import { Resampler } from '../../../resampler.ts';
import { INTERRUPTED } from '../chat/followedTurn.ts';
import { CliFailure, wrongUsage } from '../failure.ts';
import { globalOptions, readOptions } from '../options.ts';
import { printJsonLine } from '../output.ts';
import { addSessionOption, sessionOf } from '../session.ts';
import { followKeys } from '../talk/keys.ts';
import { record } from '../talk/microphone.ts';
import { player, recorder, type SoundProgram } from '../talk/soundPrograms.ts';
import { ProgramSpeaker, Recording, type Speaker } from '../talk/speaker.ts';
import { SpokenChat } from '../talk/spokenChat.ts';
import { clearState, showState } from '../talk/stateLine.ts';
import { RATE, VoiceLine } from '../talk/voiceLine.ts';
import { addUserOption, namedUser, whoAsks } from '../user.ts';

const optionsSchema = z.object({
  input: z.array(z.string()).optional(),
  output: z.string().optional(),
  push: z.boolean().default(false),
  headphones: z.boolean().default(false),
  voice: z.string().min(1).max(256).optional(),
});

type TalkOptions = z.output<typeof optionsSchema>;

/** A tenth of a second. */
const FRAME = RATE / 10;
/** Room after what hark says, in which its echo dies away. */
const ECHO_MS = 300;

export function addTalk(program: Command): void {
  const command = program.command('talk').description('speak with it: microphone in, an answer out loud');
  addSessionOption(addUserOption(command, whoAsks), 'a new one')
    .option('--push', 'hear only between two presses of the space bar')
    .option('--headphones', 'hear also while it speaks, so that you can interrupt it by speaking')
    .option('--voice <name>', 'by this voice (default: as the settings have it)')
    .option('--input <files...>', 'say what is in these WAV files, one after the other, and end')
    .option('--output <file>', 'write what it says into this WAV file instead of playing it')
    .action((_options: unknown, invoked: Command) => talk(invoked));
}

async function talk(command: Command): Promise<void> {
  const { json, ...service } = globalOptions(command);
  const options = readOptions(command, optionsSchema);
  if (options.push && options.headphones) throw wrongUsage('--push and --headphones: give one of them');
  if (options.push && !process.stdin.isTTY && !options.input)
    throw wrongUsage('--push: there is no terminal whose keys could be pressed');
  const files = await Promise.all((options.input ?? []).map(speechIn));
  const recording = options.output === undefined ? undefined : new Recording(RATE);
  // Before anything is asked: without them there is nothing to talk with.
  const microphone = files.length === 0 ? recorder(RATE) : undefined;
  const speaker: Speaker = recording ?? new ProgramSpeaker(player(RATE), RATE);
  const conversation = new SpokenChat({ speaker, json });
  const line = await VoiceLine.open(
    { ...service, user: namedUser(command), sessionId: sessionOf(command) },
    conversation,
  );
  conversation.follow(line);
  try {
    line.tell(settings(options, files.length > 0));
    if (microphone) await converse(conversation, line, microphone, options);
    else for (const speech of files) await sayWhole(speech, conversation, line);
  } finally {
    clearState();
    conversation.end();
    await line.close();
    if (recording && options.output !== undefined)
      await writeFile(options.output, writeWave(recording.samples, RATE));
  }
  if (json) printJsonLine({ type: 'ended', sessionId: conversation.sessionId });
}

function settings({ push, voice }: TalkOptions, isFromFiles: boolean) {
  const detection = push || isFromFiles ? null : { type: 'semantic_vad' };
  const output = voice === undefined ? {} : { output: { voice } };
  const audio = { input: { turn_detection: detection }, ...output };
  return { type: 'session.update', session: { type: 'realtime', audio } };
}

async function speechIn(file: string): Promise<Int16Array> {
  const bytes = await readFile(file).catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    throw new CliFailure(`--input: the file cannot be read (${code})`);
  });
  const wave = readWave(bytes);
  if (!wave) throw new CliFailure('--input: not a WAV file with sound as numbers (PCM)');
  const resampler = new Resampler(wave.rate, RATE);
  const parts = [resampler.push(wave.samples), resampler.end()];
  return Int16Array.from(parts.flatMap((part) => Array.from(part)));
}

async function sayWhole(speech: Int16Array, conversation: SpokenChat, line: VoiceLine): Promise<void> {
  const reply = conversation.reply();
  reply.catch(() => undefined);
  for (let from = 0; from < speech.length; from += FRAME) {
    line.say(speech.subarray(from, from + FRAME), { ends: from + FRAME >= speech.length });
    await line.sent();
  }
  await reply;
}

/** Until somebody leaves, or the connection is lost. */
async function converse(
  conversation: SpokenChat,
  line: VoiceLine,
  microphone: SoundProgram,
  { push, headphones }: TalkOptions,
): Promise<void> {
  const left = new AbortController();
  let isOpen = !push;
  let isMuted = false;
  let speaksUntil = 0;
  const stopKeys = followKeys((key) => {
    if (key === 'leave') left.abort();
    else if (key === 'mute') isMuted = !isMuted;
    else if (conversation.isSpeaking) conversation.interrupt();
    else if (push) {
      isOpen = !isOpen;
      if (!isOpen) line.say(new Int16Array(0), { ends: true });
    }
    showState(isMuted ? 'muted' : push && isOpen ? 'recording' : conversation.state);
  });
  const interrupted = () => left.abort();
  process.once('SIGINT', interrupted);
  showState(push ? 'press space, speak, and press it again' : 'listening');
  try {
    const heard = async () => {
      for await (const samples of record(microphone, left.signal)) {
        const now = performance.now();
        if (conversation.isSpeaking) speaksUntil = now + ECHO_MS;
        // It must not hear itself: time goes on for it, in silence.
        const isDeaf = isMuted || (!headphones && !push && now < speaksUntil);
        if (isOpen) line.say(isDeaf ? new Int16Array(samples.length) : samples);
      }
    };
    await Promise.race([heard(), conversation.lost]);
  } finally {
    left.abort();
    stopKeys();
    process.off('SIGINT', interrupted);
  }
  if (!process.stdin.isTTY) throw new CliFailure('interrupted', INTERRUPTED);
}
