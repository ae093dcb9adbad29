/*
 * The words of the specification that several layers have to spell alike. They are on the wire and in the log:
 * one may be added, none may change its meaning.
 */

export const providerIds = ['cloud-a', 'cloud-b', 'gateway', 'local-runner'] as const;
export type ProviderId = (typeof providerIds)[number];

/** What people call the providers: taken wherever one is named, while the ids stay on the wire and in the log. */
export const providerNames = ['anthropic', 'openai', 'openrouter', 'ollama'] as const;
export const providerLabels = {
  'cloud-a': 'Anthropic',
  'cloud-b': 'OpenAI',
  gateway: 'OpenRouter',
  'local-runner': 'Ollama',
} as const satisfies Record<ProviderId, string>;

/** Undefined for what is neither the id of a provider nor its name. */
export function providerNamed(text: unknown): ProviderId | undefined {
  return providerIds.find((id) => id === text || providerLabels[id].toLowerCase() === text);
}

export const chatSlots = ['chat', 'reasoning', 'coding', 'tool_calling', 'creative'] as const;
const taskSlots = [
  'consolidation',
  'maintenance',
  'summarization',
  'extraction',
  'classification',
  'embedding',
] as const;
export const slotNames = [...chatSlots, ...taskSlots] as const;
export type SlotName = (typeof slotNames)[number];

/** What takes over when a provider's credit is used up. */
export const strategies = ['cloud-backup', 'ollama-local', 'none'] as const;
export type Strategy = (typeof strategies)[number];

/** What a model can do. */
export const capabilities = [
  'chat',
  'reasoning',
  'coding',
  'tool-use',
  'creative',
  'vision',
  'thinking',
  'streaming',
  'json',
  'embedding',
  'summarization',
  'classification',
  'contradiction',
] as const;
export type Capability = (typeof capabilities)[number];

/** The images that a user may send. */
export const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;
export type ImageType = (typeof imageTypes)[number];

/** What a user wants, as far as it decides who answers; `none` where nobody can tell. */
export const intents = [
  'general_knowledge',
  'smart_home',
  'scheduling',
  'code',
  'reasoning',
  'creative',
  'conversation',
  'memory',
  'actions',
  'language',
  'system',
  'none',
] as const;
export type Intent = (typeof intents)[number];

/**
 * Whose words a turn begins with. Only what the user says is evidence about the user; `client` is what a program says
 * for itself, `import` what was said elsewhere.
 */
export const turnOrigins = ['user', 'client', 'schedule', 'workflow', 'model', 'import'] as const;
export type TurnOrigin = (typeof turnOrigins)[number];

/** Who makes a task: the user, a client of theirs that calls tools, a step of a workflow, or a model in a turn. */
export const taskMakers = ['user', 'client', 'workflow', 'model'] as const;
export type TaskMaker = (typeof taskMakers)[number];

/** How somebody came to believe something about the user. */
export const conclusionTypes = ['explicit', 'inferred', 'corrected'] as const;

export const episodeTypes = [
  'conversation',
  'task',
  'correction',
  'preference',
  'RESPONSE_INGEST',
  'imported',
  'CAPTURE',
] as const;

/** What a device may record. */
export const captureModalities = ['audio', 'video', 'neural'] as const;
export type CaptureModality = (typeof captureModalities)[number];

/** What a recording is for. */
export const captureModes = ['active-participant', 'passive-observation', 'ambient'] as const;
export type CaptureMode = (typeof captureModes)[number];

/** What may be kept of a device's recordings, from nothing to all of it. */
export const consentLevels = ['none', 'passive', 'active', 'full'] as const;
export type ConsentLevel = (typeof consentLevels)[number];

/** What a name may be of. */
export const entityTypes = ['person', 'place', 'organization', 'event', 'thing'] as const;
export type EntityType = (typeof entityTypes)[number];

/** By what a user is told although they do not listen at the moment. */
export const channelTypes = ['ntfy', 'email', 'telegram', 'webhook'] as const;
export type ChannelType = (typeof channelTypes)[number];

export const taskStatuses = ['active', 'paused', 'completed', 'cancelled', 'failed'] as const;
export type TaskStatus = (typeof taskStatuses)[number];

export const deviceTypes = ['esp32', 'browser', 'cli', 'mcp-client', 'custom'] as const;
export type DeviceType = (typeof deviceTypes)[number];

export const deviceStatuses = ['pending', 'active', 'suspended', 'revoked'] as const;
export type DeviceStatus = (typeof deviceStatuses)[number];

/** What a device has, and may use. */
export const deviceCapabilities = [
  'audio',
  'microphone',
  'speaker',
  'display',
  'buttons',
  'sensors',
] as const;

/** What a person may say of two conclusions that contradict each other. */
export const contradictionDecisions = ['keep', 'in-their-time', 'no-contradiction', 'open'] as const;

/** Why a provider did not answer. That a caller gave up is not among it. */
export const failureKinds = [
  'billing',
  'rate-limit',
  'key',
  'overload',
  'network',
  'timeout',
  'bad-request',
  'model-unknown',
  'malformed',
  'unknown',
] as const;

/** Why another model than the first of the chain was asked: what that failed with, or why it was left out. */
export const fallbackReasons = [...failureKinds, 'not-configured', 'no-images'] as const;
export type FallbackReason = (typeof fallbackReasons)[number];

/** The topic of a task that tells the user something. */
export const REMINDER = 'agent.reminder.requested';
