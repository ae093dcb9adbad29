import type shell from '../../dashboard/src/words/shell.en.ts';
import { doing } from './places/doing.ts';
import { memory } from './places/memory.ts';
import { type Place, place } from './places/place.ts';
import { running } from './places/running.ts';
import { talk } from './places/talk.ts';

type PageName = keyof (typeof shell)['names'];

/** By the page, in the order of the menu. */
export const places: Readonly<Record<PageName, readonly Place[]>> = {
  ...talk,
  ...memory,
  ...doing,
  ...running,
};

/** On every page, without a click. */
export const everywhere: readonly Place[] = [
  place('live news', 'api/live.ts', [], 'GET /api/events/stream'),
  place('the bar of time', 'state/activity.ts', [], 'GET /api/events/activity'),
];

const SAME = 'The page reads the same by another operation:';
const PROGRAM = 'For programs:';
const DEVICE = 'The device itself asks this:';

/** What people need no place for, and why. */
export const without: Readonly<Record<string, string>> = {
  'GET /health': `${PROGRAM} whoever watches the process; Health shows /api/health`,
  'GET /health/:serviceName': `${SAME} GET /api/health, which tries each provider`,
  'GET /health/metrics': `${SAME} GET /api/health/figures`,
  'GET /api/config/writable': `${SAME} GET /api/settings, of which this is the older form`,
  'PUT /api/config': `${SAME} PUT /api/settings, of which this is the older form`,
  'GET /api/setup-token': `${SAME} POST /api/setup-token`,
  'GET /api/providers/:providerId/account': `${SAME} GET /api/billing/status, with the credit of each provider`,
  'GET /api/runner/models': `${SAME} GET /api/runner/status, with the models of the runner`,
  'POST /api/chat': `${SAME} POST /api/chat/stream, as the answer comes`,
  'POST /api/tasks': `${PROGRAM} a chat without a session`,
  'GET /api/chat/history/:sessionId': `${SAME} GET /api/chat/sessions/:sessionId/turns`,
  'POST /v1/chat/completions': `${PROGRAM} those that speak as OpenAI does`,
  'GET /v1/models': `${PROGRAM} those that speak as OpenAI does`,
  'GET /v1/models/:model': `${PROGRAM} those that speak as OpenAI does`,
  'POST /v1/responses': `${PROGRAM} those that speak as OpenAI does`,
  'GET /v1/responses/:responseId': `${PROGRAM} those that speak as OpenAI does`,
  'DELETE /v1/responses/:responseId': `${PROGRAM} those that speak as OpenAI does`,
  'POST /v1/embeddings': `${PROGRAM} those that speak as OpenAI does`,
  'POST /api/memory/context': `${PROGRAM} those with a model of their own; the chat's receipts say what was recalled`,
  'POST /api/memory/conclusions/:id/restore': `${SAME} POST /api/memory/conclusions/restore, for many at once`,
  'GET /api/entities/:id/relationships': `${SAME} GET /api/entities/:id/neighbourhood, as a table too`,
  'GET /api/webhooks/:id': `${SAME} GET /api/webhooks`,
  'GET /api/sessions': `${SAME} GET /api/voice/status, with how many there are; Chat shows one's own`,
  'GET /api/models/:modelId/status': `${SAME} GET /api/models`,
  'GET /api/devices/:id': `${SAME} GET /api/devices`,
  'POST /api/capture/start': DEVICE,
  'POST /api/capture/streams/:streamId/segments': DEVICE,
  'POST /api/devices/register': DEVICE,
  'POST /api/devices/:id/challenge': DEVICE,
  'POST /api/devices/:id/authenticate': DEVICE,
};
