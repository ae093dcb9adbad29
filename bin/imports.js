/*
 * How modules are found at a start. Node looks at the disk several times for each import, and there are some thousand:
 * that is a tenth of the start.
 */

/** In a clone TypeScript, which Node reads as it is, but not below `node_modules`. */
const formats = { ts: 'module-typescript', js: 'module' };
const packages = new Map();
const notNeeded = new URL('./notNeeded.cjs', import.meta.url).href;
/**
 * What a package loads and does not use here: Fastify compares versions for plugins that name one, and gets its server
 * for TLS from us; its router looks at patterns in paths, and ours have none; pino writes by itself, and in no thread.
 */
export const UNUSED = new Map([
  ['semver', '/node_modules/fastify/'],
  ['node:https', '/node_modules/fastify/'],
  ['node:http2', '/node_modules/fastify/'],
  ['safe-regex2', '/node_modules/find-my-way/'],
  ['thread-stream', '/node_modules/pino/'],
]);
let joinedInstead = () => undefined;
let ours = '';
let format = formats.ts;

/** Where the service lies, and in what language. */
export function setFolder(url, language) {
  ours = url;
  format = formats[language];
}

/** What is joined at a start (joined.js), if anything is. */
export function setJoined(find) {
  joinedInstead = find;
}

/** A hook for `module.registerHooks`. What it does not know by itself, Node finds as ever. */
export function resolve(specifier, context, findSlowly) {
  const place = placeOf(specifier, context, findSlowly);
  if (isRequired(context)) return place;
  const joined = joinedInstead(place.url);
  return joined === undefined ? place : found(joined, 'module');
}

function isRequired({ conditions = [] }) {
  return conditions.includes('require');
}

function placeOf(specifier, context, findSlowly) {
  const { parentURL = '' } = context;
  const isBeside = specifier.startsWith('.');
  // The packages of an installed hark lie in its folder.
  if (parentURL.startsWith(ours) && !parentURL.startsWith('node_modules/', ours.length)) {
    // Ours are imported by the whole names of their files; what is joined imports parts of packages as well.
    if (isBeside && !specifier.includes('/node_modules/'))
      return found(new URL(specifier, parentURL).href, format);
    return findPackage(specifier, context, findSlowly);
  }
  if (isBeside && isZod(parentURL)) {
    // Its texts in fifty languages: those in English are loaded by another way.
    if (specifier === '../locales/index.js') return found('data:text/javascript,', 'module');
    return found(new URL(specifier, parentURL).href, 'module');
  }
  const user = UNUSED.get(specifier);
  if (user !== undefined && parentURL.includes(user)) return found(notNeeded, 'commonjs');
  return findSlowly(specifier, context);
}

/** Wherever it is imported from, it is the same. */
function findPackage(specifier, context, findSlowly) {
  if (specifier.startsWith('file:')) return findSlowly(specifier, context);
  const known = packages.get(specifier) ?? { ...findSlowly(specifier, context), shortCircuit: true };
  packages.set(specifier, known);
  return known;
}

function isZod(url) {
  return url.includes('/node_modules/zod/v4/') && url.endsWith('.js');
}

function found(url, itsFormat) {
  return { url, format: itsFormat, shortCircuit: true };
}
