import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';
import { setJoined } from './imports.js';

/*
 * A package has the modules that `hark start` loads before it is ready joined into two files (scripts/pack/start). Here
 * is what makes them look as if each came by itself: to modules that come later, and in traces.
 */

let folder = '';
/** By the path of a module in the package: the entry that passes on what it exports, its number there, and the names. */
let modules = {};

/** If the package in the folder of this address has any. */
export function useJoined(url) {
  const list = new URL('start/modules.json', url);
  if (!existsSync(list)) return;
  folder = url;
  modules = JSON.parse(readFileSync(list, 'utf8'));
  setJoined(joinedInstead);
  Error.prepareStackTrace = traceOf;
}

/** In place of the module of an address, one that passes on what was joined; `undefined` where it was not. */
function joinedInstead(url) {
  if (folder === '' || !url.startsWith(folder)) return undefined;
  const path = url.slice(folder.length);
  if (!Object.hasOwn(modules, path)) return undefined;
  const [entry, number, names] = modules[path];
  const passed = names.map((name) => `m${number}_${name} as ${name}`);
  const text = `export { ${passed.join(', ')} } from '${folder}start/${entry}.js'`;
  return `data:text/javascript,${encodeURIComponent(text)}`;
}

/** As Node writes it, with the places in the modules. It is asked for when somebody reads `stack`. */
function traceOf(error, sites) {
  const lines = sites.map((site) => `\n    at ${inModules(String(site))}`);
  return headOf(error) + lines.join('');
}

function headOf(error) {
  try {
    return Error.prototype.toString.call(error);
  } catch {
    return 'Error';
  }
}

const PLACE = /([^\s(]+\/start\/)(joined(?:First|Rest)\.js):(\d+):(\d+)/;

function inModules(site) {
  return site.replace(PLACE, (whole, place, file, line, column) => {
    if (place !== `${folder}start/`) return whole;
    try {
      return placeOf(file, line - 1, column - 1) ?? whole;
    } catch {
      return whole;
    }
  });
}

const pieces = new Map();

function placeOf(file, line, column) {
  if (!pieces.has(file)) pieces.set(file, piecesOf(file));
  const piece = pieces.get(file).findLast(([from]) => from <= line);
  if (piece === undefined) return undefined;
  const [from, path, isRequired, mappings] = piece;
  piece[4] ??= new SourceMap({ version: 3, sources: [path], names: [], mappings });
  const { originalLine, originalColumn } = piece[4].findEntry(line - from, column);
  if (originalLine === undefined) return undefined;
  // What is required has a path, and what is imported an address.
  const place = isRequired ? fileURLToPath(folder + path) : folder + path;
  return `${place}:${originalLine + 1}:${originalColumn + 1}`;
}

/** Of each module: from which line on it is there, its path, whether it is required, and the mappings of its lines. */
function piecesOf(file) {
  const { gunzipSync } = process.getBuiltinModule('node:zlib');
  return JSON.parse(gunzipSync(readFileSync(new URL(`start/${file}.gz`, folder))).toString());
}
