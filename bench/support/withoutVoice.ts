import { registerHooks } from 'node:module';

/*
 * Loaded before hark: what of voice a start loads is left out, where BENCH_WITHOUT_VOICE says so. In its place stands what does
 * nothing and has nothing.
 */

const NOTHING = `const nothing = new Proxy(class {}, {
  construct: () => nothing,
  get: (_, name) => (name === 'then' ? undefined : name === 'paths' ? [] : () => []),
});`;
const voice: readonly (readonly [string, readonly string[]])[] = [
  ['/src/wiring/voice.ts', ['Voice']],
  ['/src/wiring/speech.ts', ['Speech']],
  ['/src/interfaces/voice/sockets.ts', ['VoiceSockets']],
  ['/src/application/voice/openSessions.ts', ['OpenVoiceSessions']],
];

registerHooks({
  load(url, context, load) {
    const names = process.env.BENCH_WITHOUT_VOICE && voice.find(([file]) => url.endsWith(file))?.[1];
    if (!names) return load(url, context);
    const exported = names.map((name) => `export const ${name} = nothing;`);
    return { format: 'module', source: [NOTHING, ...exported].join('\n'), shortCircuit: true };
  },
});
