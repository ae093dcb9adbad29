import { join } from 'node:path';
import { defineConfig, type Plugin } from 'vite';

/** Of marked the lexer alone: its other half makes HTML of a text, which no page of hark does. */
const lexerAlone: Plugin = {
  name: 'lexer-alone',
  transform(code, id) {
    if (!id.endsWith('/marked.esm.js')) return undefined;
    const lexer = /(\w+) as Lexer/.exec(code)?.[1];
    const end = code.search(/var \w+=new \w+;function \w+\(\w+,\w+\)\{return \w+\.parse\(/);
    if (lexer === undefined || end === -1) this.error('marked is another than the one that was looked into');
    return { code: `${code.slice(0, end)}export{${lexer} as Lexer};`, map: null };
  },
};

export default defineConfig({
  root: import.meta.dirname,
  plugins: [lexerAlone],
  // What a page of hark's names lies on its own origin: nothing is inlined that the policy would refuse.
  build: {
    outDir: join(import.meta.dirname, '../dist/dashboard'),
    emptyOutDir: true,
    // Says which files belong together; it lies in a folder with a dot, which nobody serves.
    manifest: true,
    target: 'es2024',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
});
