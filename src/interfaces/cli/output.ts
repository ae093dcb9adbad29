import { styleText } from 'node:util';
import { spelledOut } from '../../plainText.ts';

/** Colour is for terminals: `styleText` leaves it out for files and pipes, and where NO_COLOR is set. */
export function toned(tone: Tone, text: string): string {
  return styleText(tone, text, { stream: process.stdout });
}

/** Whatever comes from events, files or a server, only our own colours and line ends reach the terminal as they are. */
export function print(line = ''): void {
  process.stdout.write(`${shownAs(line)}\n`);
}

/** The same for what is wrong. */
export function printError(line: string): void {
  process.stderr.write(`hark: ${spelledOut(line)}\n`);
}

const TONES = ['green', 'yellow', 'red', 'dim', 'bold'] as const;
type Tone = (typeof TONES)[number];

/** What a tone puts before and behind a text. */
const codes = TONES.flatMap((tone) => styleText(tone, '\n', { validateStream: false }).split('\n'));
const COLOURS = new RegExp(`(${codes.map((code) => RegExp.escape(code)).join('|')})`);

function shownAs(line: string): string {
  const parts = line.split(COLOURS);
  return parts.map((part, index) => (index % 2 === 1 ? part : spelledOut(part, '\n\t'))).join('');
}

/** One JSON document. */
export function printDocument(value: unknown): void {
  print(JSON.stringify(value, undefined, 2));
}

/** One line of newline-delimited JSON. */
export function printJsonLine(value: unknown): void {
  print(JSON.stringify(value));
}

/** What comes from events or a server cannot steer the terminal: control characters are spelled out. */
export function printable(text: string): string {
  return spelledOut(text);
}

/** Text of several lines, as a model writes it: what would steer the terminal is left out. */
export function prose(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n\t]|[\p{Bidi_Control}\u2028\u2029]/gu, '');
}

const GAP = '  ';

/** Rows with every column but the last as wide as its widest cell. On a terminal no line is broken. */
function alignRows(rows: readonly (readonly string[])[], widths: readonly number[] = []): string[] {
  const cells = rows.map((row) => row.map(printable));
  const columns = Math.max(0, ...cells.map((row) => row.length));
  const widest = Array.from({ length: columns }, (_, column) =>
    Math.max(widths[column] ?? 0, ...cells.map((row) => row[column]?.length ?? 0)),
  );
  return cells.map((row) =>
    cutToTerminal(
      row
        .map((cell, column) => (column < row.length - 1 ? cell.padEnd(widest[column] ?? 0) : cell))
        .join(GAP),
    ),
  );
}

export function printRows(rows: readonly (readonly string[])[], widths?: readonly number[]): void {
  for (const line of alignRows(rows, widths)) print(line);
}

function cutToTerminal(line: string): string {
  const room = process.stdout.isTTY ? process.stdout.columns : Number.POSITIVE_INFINITY;
  return line.length > room ? `${line.slice(0, Math.max(0, room - 1))}…` : line.trimEnd();
}

/** `1 episode`, `2 episodes`. */
export function counted(count: number, one: string, more = `${one}s`): string {
  return `${count} ${count === 1 ? one : more}`;
}

export function showTime(at: number): string {
  return new Date(at).toISOString();
}

export function showDuration(seconds: number): string {
  const [days, hours, minutes] = [seconds / 86_400, (seconds / 3_600) % 24, (seconds / 60) % 60].map(
    Math.floor,
  );
  if (days) return `${days} d ${hours} h`;
  if (hours) return `${hours} h ${minutes} min`;
  return minutes ? `${minutes} min` : `${Math.floor(seconds)} s`;
}

export function showBytes(bytes: number): string {
  const [size, unit] = bytes >= 2 ** 30 ? [bytes / 2 ** 30, 'GiB'] : [bytes / 2 ** 20, 'MiB'];
  return `${size >= 10 ? Math.round(size) : size.toFixed(1)} ${unit}`;
}
