import { join } from 'node:path';
import { defineConfig, type Plugin } from 'vite';

/**
 * What is loaded together: file by file it would weigh a tenth more. What a file imports comes with it, unless that is
 * in one that is named before.
 */
const together: readonly (readonly [name: string, ...files: RegExp[]])[] = [
  ['look', /src\/(?!look\/(?:tokens|base|parts|shell)).*\.css$/],
  // What the words import must not wait for words: those are awaited where they are used.
  ['base', /preload-helper|src\/api\/withLook|src\/state\/kept|src\/words\/(?:words|format)\.ts/],
  [
    'shell',
    /node_modules\/@?preact|src\/api\/|src\/state\/(?!activity|difference)/,
    /src\/(?:app|main|pages)\.tsx?$|src\/parts\/(?!forgetting)|src\/words\/(?:parts|shell)\.ts/,
    /src\/shell\/(?!timeBar|past|broughtBack|compared|useDifference)/,
  ],
  ['timeBar', /src\/shell\/(?:timeBar|past)\.tsx|src\/words\/time\.ts/],
];

const chunks = together.map(([name, ...files], index) => ({
  name,
  test: (id: string) => files.some((part) => part.test(id)),
  priority: together.length - index,
}));

/**
 * Of marked the page needs the lexer. What else stands in its one file is kept alive by an instance of its own, a sixth
 * of what the page of chats would weigh.
 */
const lexerAlone: Plugin = {
  name: 'lexer-alone',
  transform(code, id) {
    if (!id.endsWith('/marked/lib/marked.esm.js')) return undefined;
    const lexer = /export\{.*\b(\w+) as Lexer\b/s.exec(code)?.[1];
    const instance = code.search(/var (\w+)=new \w+;function \w+\(\w+,\w+\)\{return \1\.parse\(/);
    if (lexer === undefined || instance === -1)
      throw new Error('marked has changed: look where its instance is');
    return { code: `${code.slice(0, instance)}export{${lexer} as Lexer};`, map: null };
  },
};

/**
 * Of what Vite loads a part with, the page needs that its look is there first: the scripts are asked for as they are
 * imported.
 */
const lookFirst: Plugin = {
  name: 'look-first',
  enforce: 'pre',
  transform(code, id) {
    if (id !== '\0vite/preload-helper.js') return undefined;
    if (!code.includes('const __vitePreload = '))
      throw new Error('Vite has changed: look what it loads with');
    return { code: "export { withLook as __vitePreload } from '/src/api/withLook.ts';", map: null };
  },
};

/** The picture of relationships is placed at once, and nobody watches it move: it needs neither a clock nor listeners. */
const still: Readonly<Record<string, string>> = {
  'd3-timer': 'export const timer = () => ({ restart() {}, stop() {} });',
  'd3-dispatch': 'export const dispatch = () => ({});',
};
const placedAtOnce: Plugin = {
  name: 'placed-at-once',
  enforce: 'pre',
  resolveId: (id) => (id in still ? `\0${id}` : undefined),
  load: (id) => still[id.slice(1)],
};

export default defineConfig({
  root: import.meta.dirname,
  plugins: [lexerAlone, lookFirst, placedAtOnce],
  // What a page of hark's names lies on its own origin: nothing is inlined that the policy would refuse.
  build: {
    outDir: join(import.meta.dirname, '../dist/dashboard'),
    emptyOutDir: true,
    // Says which files belong together; it lies in a folder with a dot, which nobody serves.
    manifest: true,
    target: 'es2024',
    assetsInlineLimit: 0,
    modulePreload: false,
    reportCompressedSize: false,
    rolldownOptions: { output: { codeSplitting: { groups: chunks } } },
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
});
