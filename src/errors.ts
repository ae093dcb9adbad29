/*
 * What can go wrong in a way that callers are told about, area by area. A code names the case, and the message is what
 * a person reads; which status REST answers with is a matter of REST (`interfaces/rest/statuses.ts`). Anything that is
 * not in here is a fault of ours: it becomes INTERNAL, and what it said goes to the log only.
 */

/** What a request is refused for, whatever it asks for. */
const requests = {
  VALIDATION_FAILED: 'Validation failed',
  BAD_REQUEST: 'Bad request',
  INVALID_JSON: 'Invalid JSON',
  INVALID_ID: 'Invalid ID format',
  CONTENT_TOO_LARGE: 'The content is too large',
  UNSUPPORTED_MEDIA_TYPE: 'Unsupported media type: send application/json',
  UNAUTHORIZED: 'Unauthorized',
  FORBIDDEN: 'Forbidden',
  DEVICE_SCOPE: 'Forbidden',
  MISDIRECTED: 'Host name not served here',
  NOT_FOUND: 'Not found',
  METHOD_NOT_ALLOWED: 'Method not allowed',
  UPGRADE_REQUIRED: 'A WebSocket is opened here',
  TOO_MANY_REQUESTS: 'Too many requests',
  CONFLICT: 'The state changed meanwhile; try again',
  INTERNAL: 'Internal error',
} as const;

const system = {
  NOT_READY: 'The service is starting or stopping; try again',
  CHECK_FAILED: 'Health check failed',
  SERVICE_UNKNOWN: 'Unknown service',
  SETUP_STEP_UNKNOWN: 'Unknown step of the setup',
  CONTAINERS_NOT_RUNNING: 'Container runtime is not running',
  INSTALLATION_FAILED: 'The container could not be installed',
} as const;

const store = {
  KVSTORE_UNAVAILABLE: 'Key-value store not available',
  KVSTORE_MISCONFIGURED: 'The key-value store is not configured for a log',
  STORAGE_FULL: 'Storage is full; nothing was written',
  DATA_DIR_IN_USE: 'Another process uses this data directory',
  DATA_DIR_UNUSABLE: 'The data directory cannot be used',
  LOG_FOREIGN: 'Not a hark log',
  LOG_DAMAGED: 'The log is damaged',
  LOG_NEWER: 'The log was written by a newer version of hark',
  BACKUP_INVALID: 'The backup could not be verified',
  TARGET_EXISTS: 'The target exists already; nothing was overwritten',
  BACKUP_IMPOSSIBLE: 'There is no log that outlasts the process',
  BACKUP_RUNNING: 'A backup is being made already',
  BACKUP_UNKNOWN: 'Unknown backup',
} as const;

const credentials = {
  CREDENTIALS_UNAVAILABLE: 'Stored provider keys are not available',
} as const;

const memory = {
  EPISODE_UNKNOWN: 'Unknown episode',
  CONCLUSION_UNKNOWN: 'Unknown conclusion',
  CONTRADICTION_UNKNOWN: 'Unknown contradiction',
  ENTITY_UNKNOWN: 'Unknown entity',
  MEMORY_OFF: 'Memory is off for this user (preference persistMemory)',
  MEMORY_CHANGED: 'Something was erased meanwhile; try again',
} as const;

const maintenance = {
  PROFILE_DISCONNECTED: 'Memory maintenance unavailable',
  RESOURCES_BUSY: 'Memory maintenance deferred',
  REPORT_UNKNOWN: 'Unknown report',
} as const;

const scheduler = {
  SCHEDULER_UNAVAILABLE: 'Scheduler not available',
  SCHEDULE_INVALID: 'Invalid schedule',
  SCHEDULE_CIRCLE: 'The schedule would trigger itself in a loop',
  TOPIC_UNATTENDED: 'Nothing acts on this topic',
  SCHEDULED_TASK_UNKNOWN: 'Task not found',
  SCHEDULED_TASK_OVER: 'The task has ended',
} as const;

const chat = {
  CHAT_FAILED: 'Chat processing failed',
  TASK_FAILED: 'Task processing failed',
  TURN_UNKNOWN: 'Unknown turn',
  TURN_OVER: 'The turn has ended',
  TURN_RUNNING: 'A turn still runs in the session: cancel it, or wait until it is over',
  CONVERSATION_OVER: 'The conversation has ended: ask again without `replaces`',
  RESPONSE_UNKNOWN: 'Unknown response',
  SESSION_UNKNOWN: 'Unknown session',
  IMAGES_NOT_SEEN: 'No model of the slot accepts images',
  TOOL_SERVER_UNKNOWN: 'Unknown tool server',
} as const;

const workflows = {
  WORKFLOW_UNKNOWN: 'Workflow not found',
  WORKFLOW_FAILED: 'Workflow execution failed',
  WORKFLOW_CIRCLE: 'Too many executions started each other in quick succession, or have the same cause',
  WORKFLOWS_UNAVAILABLE: 'Workflow engine not available',
  EXECUTION_UNKNOWN: 'Unknown execution',
  EXECUTION_OVER: 'The execution has ended',
  EXECUTION_ERASED: 'The data of the execution was erased',
} as const;

const webhooks = {
  WEBHOOK_UNKNOWN: 'Unknown webhook',
  WEBHOOKS_TOO_MANY: 'Too many webhooks',
  DELIVERY_UNKNOWN: 'Unknown delivery',
} as const;

const notifications = {
  CHANNEL_UNKNOWN: 'Unknown notification channel',
  CHANNELS_TOO_MANY: 'Too many notification channels',
  NOTIFICATION_UNKNOWN: 'Unknown notification',
  NOTIFICATIONS_TOO_MANY: 'Too many notifications were sent',
} as const;

const providers = {
  MODEL_UNKNOWN: 'Unknown model',
  MODEL_UNAVAILABLE: 'No model answers. Store a provider key, start the local runner, or try hark demo',
  MODEL_TIMEOUT: 'The model took too long to answer',
  REQUEST_REFUSED: 'The provider refused the request: it is too long, too large, or against its rules',
  BILLING_EXHAUSTED:
    'The credit is used up. Add credit and POST /api/billing/retry/<provider>, or give the slot another fallback or strategy',
  PROVIDER_UNAVAILABLE: 'The provider does not answer',
  PROVIDER_NOT_CONFIGURED: 'Provider not configured',
  ACCOUNT_UNKNOWN: 'The provider has no account information',
  RUNNER_UNAVAILABLE: 'The local model runner cannot be reached',
  RUNNER_NOT_STARTED: 'The local model runner could not be started',
} as const;

const devices = {
  DEVICE_UNKNOWN: 'Unknown device',
  DEVICE_KEYED: 'The device proves itself with its key, and has no secret',
  DEVICE_NOT_KEYED: 'The device has no key; it proves itself with its secret',
  PAIRING_CODE_INVALID: 'The pairing code is unknown, used, too old or meant for another type of device',
} as const;

const capture = {
  CONSENT_MISSING: 'Nobody has consented to this',
  CAPTURE_PAUSED: 'Capture is paused',
  CAPTURE_STREAM_UNKNOWN: 'Unknown or stopped capture stream',
  CAPTURE_STREAM_STOPPED: 'The capture stream has stopped',
  CAPTURE_STREAMS_TOO_MANY: 'Too many capture streams',
  CAPTURE_UNAVAILABLE: 'Capture is not available',
  CAPTURE_NOT_UNDERSTOOD: 'Nothing here turns this into words, and at this level nothing else may be kept',
  SEGMENT_TYPE_WRONG: 'The content is not what its type says',
} as const;

const voice = {
  TTS_UNAVAILABLE: 'TTS provider unavailable',
  STT_UNAVAILABLE: 'STT provider unavailable',
  VOICE_UNAVAILABLE: 'Voice pipeline not initialized',
  VOICE_SESSION_NONE: 'No voice session',
  VOICE_SESSION_BUSY: 'Something listens in this voice session already',
} as const;

const speechModels = {
  BUILT_IN: 'The model comes with hark, and stays',
  MODEL_NOT_DOWNLOADED: 'The model is not downloaded',
  NOT_MEASURABLE: 'Nothing here measures models of this kind',
  CHECKSUM_UNKNOWN:
    'No checksum of this model is publicly known: send confirm: true to download it all the same',
} as const;

export const errorMessages = {
  ...requests,
  ...system,
  ...store,
  ...credentials,
  ...memory,
  ...maintenance,
  ...scheduler,
  ...chat,
  ...workflows,
  ...webhooks,
  ...notifications,
  ...providers,
  ...devices,
  ...capture,
  ...voice,
  ...speechModels,
};

export type ErrorCode = keyof typeof errorMessages;

/** Which clients tell apart by more than their status: these name themselves as `errorCode` in the body. */
const namedInBody: ReadonlySet<string> = new Set([
  ...Object.keys(capture),
  ...Object.keys(speechModels),
  ...['DEVICE_SCOPE', 'MEMORY_OFF', 'PAIRING_CODE_INVALID'],
]);

interface ErrorDetails {
  /** For the caller, instead of the code's own message. Never a secret, a path of the machine or personal text. */
  readonly message?: string;
  /** Further fields of the error body, as the specification asks for them on some routes. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** Where there was too much of something: how much there may be. */
  readonly limit?: number;
  readonly cause?: unknown;
}

export class HarkError extends Error {
  override readonly name = 'HarkError';
  readonly code: ErrorCode;
  readonly body: Readonly<Record<string, unknown>>;
  readonly limit: number | undefined;

  constructor(code: ErrorCode, { message, body = {}, limit, cause }: ErrorDetails = {}) {
    super(message ?? errorMessages[code], cause === undefined ? undefined : { cause });
    this.code = code;
    this.limit = limit;
    this.body = namedInBody.has(code) ? { errorCode: code, ...body } : body;
  }
}

export function isHarkError(error: unknown, ...codes: ErrorCode[]): error is HarkError {
  return error instanceof HarkError && (codes.length === 0 || codes.includes(error.code));
}
