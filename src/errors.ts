/**
 * The one registry of what can go wrong in a way that callers are told about. A code names the case, the
 * status is what REST answers, the message is what a person reads. Anything that is not in here is a fault of
 * ours: it becomes INTERNAL, and what it said goes to the log only.
 */
export const errorRegistry = {
  VALIDATION_FAILED: { status: 400, message: 'Validation failed' },
  BAD_REQUEST: { status: 400, message: 'Bad request' },
  INVALID_JSON: { status: 400, message: 'Invalid JSON' },
  INVALID_ID: { status: 400, message: 'Invalid ID format' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'Unsupported media type: send application/json' },
  UNAUTHORIZED: { status: 401, message: 'Unauthorized' },
  FORBIDDEN: { status: 403, message: 'Forbidden' },
  MISDIRECTED: { status: 421, message: 'Host not served here' },
  NOT_FOUND: { status: 404, message: 'Not found' },
  SERVICE_UNKNOWN: { status: 404, message: 'Unknown service' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'Method not allowed' },
  TOO_MANY_REQUESTS: { status: 429, message: 'Too many requests' },
  CONFLICT: { status: 409, message: 'The state changed meanwhile; try again' },
  INTERNAL: { status: 500, message: 'Internal error' },
  KVSTORE_UNAVAILABLE: { status: 503, message: 'Key-value store not available' },
  STORAGE_FULL: { status: 503, message: 'Storage is full; nothing was written' },
  CREDENTIALS_UNAVAILABLE: { status: 503, message: 'Stored provider keys are not available' },
  EPISODE_UNKNOWN: { status: 404, message: 'Unknown episode' },
  CONCLUSION_UNKNOWN: { status: 404, message: 'Unknown conclusion' },
  ENTITY_UNKNOWN: { status: 404, message: 'Unknown entity' },
  PROFILE_DISCONNECTED: { status: 503, message: 'Memory maintenance unavailable' },
  RESOURCES_BUSY: { status: 503, message: 'Memory maintenance deferred' },
  REPORT_UNKNOWN: { status: 404, message: 'Unknown report' },
  MEMORY_OFF: { status: 409, message: 'The user keeps no memory (preference persistMemory)' },
  MEMORY_CHANGED: { status: 409, message: 'Something was erased meanwhile; try again' },
  SCHEDULER_UNAVAILABLE: { status: 503, message: 'Scheduler not available' },
  SCHEDULE_INVALID: { status: 400, message: 'Invalid schedule' },
  SCHEDULE_CIRCLE: { status: 400, message: 'The schedule sets itself off in a circle' },
  TOPIC_UNATTENDED: { status: 404, message: 'Nothing acts on this topic' },
  SCHEDULED_TASK_UNKNOWN: { status: 404, message: 'Task not found' },
  SCHEDULED_TASK_OVER: { status: 409, message: 'The task is over' },
  CHAT_FAILED: { status: 500, message: 'Chat processing failed' },
  TASK_FAILED: { status: 500, message: 'Task processing failed' },
  TURN_UNKNOWN: { status: 404, message: 'Unknown turn' },
  TURN_OVER: { status: 409, message: 'The turn is over' },
  SESSION_UNKNOWN: { status: 404, message: 'Unknown session' },
  IMAGES_NOT_SEEN: { status: 400, message: 'No model of the slot takes images' },
  WORKFLOW_UNKNOWN: { status: 404, message: 'Workflow not found' },
  WORKFLOW_FAILED: { status: 400, message: 'Workflow execution failed' },
  WEBHOOK_UNKNOWN: { status: 404, message: 'Unknown webhook' },
  WEBHOOKS_TOO_MANY: { status: 409, message: 'There are too many webhooks already' },
  WORKFLOW_CIRCLE: {
    status: 400,
    message: 'Too many executions began one another in quick succession, or have the same cause',
  },
  WORKFLOWS_UNAVAILABLE: { status: 503, message: 'Workflow engine not available' },
  EXECUTION_UNKNOWN: { status: 404, message: 'Unknown execution' },
  EXECUTION_OVER: { status: 409, message: 'The execution is over' },
  EXECUTION_ERASED: { status: 409, message: 'What the execution works on was erased' },
  MODEL_UNKNOWN: { status: 404, message: 'Unknown model' },
  MODEL_UNAVAILABLE: {
    status: 503,
    message: 'No model answers. Store a provider key, start the local runner, or try npm run demo',
  },
  REQUEST_REFUSED: {
    status: 400,
    message: 'The provider refused the request: it is too long, too large, or against its rules',
  },
  MODEL_TIMEOUT: { status: 500, message: 'The model took too long to answer' },
  BILLING_EXHAUSTED: {
    status: 503,
    message:
      'The credit is used up. Add some and POST /api/billing/retry/<provider>, or give the slot another fallback or strategy',
  },
  PROVIDER_UNAVAILABLE: { status: 503, message: 'The provider does not answer' },
  PROVIDER_NOT_CONFIGURED: { status: 404, message: 'Provider not configured' },
  ACCOUNT_UNKNOWN: { status: 404, message: 'The provider tells nothing of an account' },
  RUNNER_UNAVAILABLE: { status: 503, message: 'The local model runner cannot be reached' },
  RUNNER_NOT_STARTED: { status: 500, message: 'The local model runner could not be started' },
  TOOL_SERVER_UNKNOWN: { status: 404, message: 'Unknown tool server' },
  TTS_UNAVAILABLE: { status: 503, message: 'TTS provider unavailable' },
  STT_UNAVAILABLE: { status: 503, message: 'STT provider unavailable' },
  NOT_READY: { status: 503, message: 'Starting or stopping; try again' },
  CHECK_FAILED: { status: 503, message: 'Health check failed' },

  DATA_DIR_IN_USE: { status: 503, message: 'Another process uses this data directory' },
  DATA_DIR_UNUSABLE: { status: 503, message: 'The data directory cannot be used' },
  LOG_FOREIGN: { status: 503, message: 'Not a hark log' },
  LOG_DAMAGED: { status: 503, message: 'The log is damaged' },
  LOG_NEWER: { status: 503, message: 'The log was written by a newer version of hark' },
  KVSTORE_MISCONFIGURED: { status: 503, message: 'The key-value store is not set up for a log' },
  BACKUP_INVALID: { status: 400, message: 'The backup does not read back' },
  TARGET_EXISTS: { status: 409, message: 'The target exists already; nothing was overwritten' },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof errorRegistry;

interface ErrorDetails {
  /** For the caller, beside the registry's message. Never a secret, a path of the machine or personal text. */
  readonly message?: string;
  /** Further fields of the error body, as the specification asks for them on some routes. */
  readonly body?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

export class HarkError extends Error {
  override readonly name = 'HarkError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, { message, body = {}, cause }: ErrorDetails = {}) {
    super(message ?? errorRegistry[code].message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.status = errorRegistry[code].status;
    this.body = body;
  }
}

export function isHarkError(error: unknown, ...codes: ErrorCode[]): error is HarkError {
  return error instanceof HarkError && (codes.length === 0 || codes.includes(error.code));
}
