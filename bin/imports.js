/*
 * How modules are found at a start. Node looks at the disk several times for each import, and there are some thousand:
 * that is a tenth of the start.
 */

const ours = new URL('../src/', import.meta.url).href;
const packages = new Map();
const noVersions = new URL('./noVersions.cjs', import.meta.url).href;

/** A hook for `module.registerHooks`. What it does not know by itself, Node finds as ever. */
export function resolve(specifier, context, findSlowly) {
  const { parentURL = '' } = context;
  const isBeside = specifier.startsWith('.');
  if (parentURL.startsWith(ours)) {
    // Ours are imported by the whole names of their files.
    if (isBeside) return found(new URL(specifier, parentURL).href, 'module-typescript');
    return findPackage(specifier, context, findSlowly);
  }
  if (isBeside && isZod(parentURL)) {
    // Its texts in fifty languages: those in English are loaded by another way.
    if (specifier === '../locales/index.js') return found('data:text/javascript,', 'module');
    return found(new URL(specifier, parentURL).href, 'module');
  }
  // Fastify compares versions with it for plugins that name one, and there are none: 47 modules.
  if (specifier === 'semver' && parentURL.includes('/node_modules/fastify/'))
    return found(noVersions, 'commonjs');
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

function found(url, format) {
  return { url, format, shortCircuit: true };
}
