import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { OutputAsset, OutputChunk } from 'rolldown';

/*
 * What was joined, beside where each line of it comes from: traces name the modules as they lie in the package, by line
 * and column (`bin/joined.js`). A piece for each module, so that one trace need not read the others.
 */

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** Node holds a text with any other character in two bytes each. */
const WIDE = /[^\0-\x7f]/g;

/** A place in what was written, and the one in the sources that it comes from. */
type Segment = readonly [column: number, source: number, line: number, sourceColumn: number];
type Piece = { readonly from: number; readonly source: number; readonly lines: Segment[][] };

export function writeJoined(
  folder: string,
  dist: string,
  output: readonly (OutputChunk | OutputAsset)[],
  isRequired: (path: string) => boolean,
): void {
  mkdirSync(folder, { recursive: true });
  for (const chunk of output) {
    if (chunk.type !== 'chunk') continue;
    writeFileSync(join(folder, chunk.fileName), chunk.code.replace(WIDE, escaped));
    if (!chunk.map || !chunk.fileName.startsWith('joined')) continue;
    const { sources, mappings } = chunk.map;
    const code = chunk.code.split('\n');
    const pieces = piecesOf(segmentsOf(mappings, code));
    const told = pieces.map(({ from, source, lines }) => {
      const path = resolve(folder, sources[source] ?? '');
      return [from, relative(dist, path), isRequired(path), mappingsOf(lines)];
    });
    writeFileSync(join(folder, `${chunk.fileName}.gz`), gzipSync(JSON.stringify(told), { level: 9 }));
  }
}

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** A text with some places replaced, and a map that tells for each character where it was. */
export function replaced(text: string, places: RegExp, by: (found: string) => string) {
  const lines: Segment[][] = [];
  const code = text.split('\n').map((line, number) => {
    const segments: Segment[] = [];
    let written = '';
    const keep = (from: number, to: number) => {
      for (let column = from; column < to; column++)
        segments.push([written.length + column - from, 0, number, column]);
      written += line.slice(from, to);
    };
    let after = 0;
    for (const { 0: found, index } of line.matchAll(places)) {
      keep(after, index);
      segments.push([written.length, 0, number, index]);
      written += by(found);
      after = index + found.length;
    }
    keep(after, line.length);
    lines.push(segments);
    return written;
  });
  return { code: code.join('\n'), map: { mappings: mappingsOf(lines) } };
}

/** The mappings of each line; what stands behind an escape is further to the right than they say. */
function segmentsOf(mappings: string, code: readonly string[]): Segment[][] {
  let [source, line, sourceColumn] = [0, 0, 0];
  return mappings.split(';').map((text, index) => {
    const shift = shiftOf(code[index] ?? '');
    let column = 0;
    return text.split(',').flatMap((field): Segment[] => {
      const [dColumn = 0, dSource, dLine = 0, dSourceColumn = 0] = numbersOf(field);
      column += dColumn;
      if (dSource === undefined) return [];
      source += dSource;
      line += dLine;
      sourceColumn += dSourceColumn;
      return [[column + shift(column), source, line, sourceColumn]];
    });
  });
}

function shiftOf(line: string): (column: number) => number {
  const wide = Array.from(line.matchAll(WIDE), ({ index }) => index);
  return (column) => 5 * wide.filter((index) => index < column).length;
}

function piecesOf(lines: readonly Segment[][]): readonly Piece[] {
  const pieces: Piece[] = [];
  lines.forEach((segments, index) => {
    const source = segments[0]?.[1];
    const last = pieces.at(-1);
    if (source !== undefined && source !== last?.source)
      pieces.push({ from: index, source, lines: [segments] });
    else last?.lines.push(segments);
  });
  return pieces;
}

/** As a source map has it, of one source. */
function mappingsOf(lines: readonly Segment[][]): string {
  let [line, sourceColumn] = [0, 0];
  return lines
    .map((segments) => {
      let column = 0;
      return segments
        .map(([toColumn, , toLine, toSourceColumn]) => {
          const steps = [toColumn - column, 0, toLine - line, toSourceColumn - sourceColumn];
          [column, line, sourceColumn] = [toColumn, toLine, toSourceColumn];
          return steps.map(digitsOf).join('');
        })
        .join(',');
    })
    .join(';');
}

function numbersOf(field: string): readonly number[] {
  const numbers: number[] = [];
  let [value, shift] = [0, 0];
  for (const digit of field) {
    const bits = DIGITS.indexOf(digit);
    value |= (bits & 31) << shift;
    shift += 5;
    if (bits & 32) continue;
    numbers.push(value & 1 ? -(value >> 1) : value >> 1);
    [value, shift] = [0, 0];
  }
  return numbers;
}

function digitsOf(number: number): string {
  let rest = number < 0 ? (-number << 1) | 1 : number << 1;
  let digits = '';
  do {
    const bits = rest & 31;
    rest >>= 5;
    digits += DIGITS[rest > 0 ? bits | 32 : bits];
  } while (rest > 0);
  return digits;
}
