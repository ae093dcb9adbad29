import { join } from 'node:path';
import { defineConfig } from 'vite';

const chunks = [
  // What the words import must not wait for words: those are awaited where they are used.
  {
    name: 'base',
    test: /preload-helper|\/node_modules\/@?preact|\/src\/(?:api|state)\/|\/src\/words\/(?:words|format)\.ts$/,
    priority: 4,
  },
  { name: 'parts', test: /\/src\/parts\/(?!forgetting)|\/src\/words\/(?:parts|shell)\.ts$/, priority: 3 },
];

export default defineConfig({
  root: import.meta.dirname,
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
