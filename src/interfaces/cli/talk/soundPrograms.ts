import { findCommand } from '../../../gateways/machine/commands.ts';
import { CliFailure } from '../failure.ts';

/** A program that records, or plays, raw sound: 16 bits, mono. */
export interface SoundProgram {
  readonly command: string;
  readonly args: readonly string[];
}

type Programs = readonly ((rate: string, platform: NodeJS.Platform) => SoundProgram | undefined)[];

const raw = ['-t', 'raw', '-e', 'signed-integer', '-b', '16', '-c', '1'];
const quiet = ['-hide_banner', '-loglevel', 'error'];
/** Where FFmpeg finds the sound of a machine. */
const devices: Partial<Record<NodeJS.Platform, readonly [format: string, device: string]>> = {
  linux: ['pulse', 'default'],
  darwin: ['avfoundation', ':0'],
};

/** In the order in which they are tried. A short buffer keeps what is played near to what is said of it. */
const recorders: Programs = [
  (rate) => ({ command: 'arecord', args: ['-q', '-t', 'raw', '-f', 'S16_LE', '-c', '1', '-r', rate, '-'] }),
  (rate) => ({ command: 'rec', args: ['-q', ...raw, '-r', rate, '-'] }),
  (rate, platform) => {
    const [format, device] = devices[platform] ?? [];
    if (format === undefined || device === undefined) return undefined;
    const args = [...quiet, '-f', format, '-i', device, '-f', 's16le', '-ac', '1', '-ar', rate, '-'];
    return { command: 'ffmpeg', args };
  },
];

const players: Programs = [
  (rate) => ({
    command: 'aplay',
    args: ['-q', '-t', 'raw', '-f', 'S16_LE', '-c', '1', '-r', rate, '--buffer-time=120000', '-'],
  }),
  (rate) => ({ command: 'play', args: ['-q', '--buffer', '2048', ...raw, '-r', rate, '-'] }),
  (rate) => ({
    command: 'ffplay',
    args: [...quiet, '-nodisp', '-autoexit', '-f', 's16le', '-ar', rate, '-ch_layout', 'mono', '-i', '-'],
  }),
];

interface Machine {
  readonly path?: string;
  readonly platform?: NodeJS.Platform;
}

export function recorder(rate: number, machine?: Machine): SoundProgram {
  return found(recorders, rate, 'record with (arecord, sox or ffmpeg)', machine);
}

export function player(rate: number, machine?: Machine): SoundProgram {
  return found(players, rate, 'play with (aplay, sox or ffplay)', machine);
}

function found(
  programs: Programs,
  rate: number,
  what: string,
  { path, platform = process.platform }: Machine = {},
): SoundProgram {
  for (const one of programs) {
    const program = one(String(rate), platform);
    if (program && findCommand(program.command, path) !== undefined) return program;
  }
  const mend = 'install alsa-utils, sox or ffmpeg, or speak with files: --input and --output';
  throw new CliFailure(`There is no program to ${what}: ${mend}`);
}
