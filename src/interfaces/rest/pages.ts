import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { HarkError } from '../../errors.ts';
import type { AnyOperation } from '../operation.ts';
import type { Gate } from './gate.ts';
import { liesInApi } from './mount.ts';
import { limitOf } from './rateLimits.ts';
import { type Payload, send, sendEmpty, sendError, textPayload } from './replies.ts';
import type { RouteMeter } from './routeMeter.ts';
import type { StaticFiles } from './staticFiles.ts';

const pathTo = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

const DOCS = pathTo('./docs');
/** Where the build puts the dashboard, and the page that says so where nobody has built it. */
const DASHBOARD = pathTo('../../../dist/dashboard');
const NOT_BUILT = pathTo('./notBuilt');

interface PageOptions {
  readonly gate: Gate;
  readonly meterOf: (method: string, path: string) => RouteMeter;
  /** Counts what no route matched. */
  readonly unmatched: (method: string) => RouteMeter;
  readonly operations: readonly AnyOperation[];
  readonly version: string;
  /** What is to be known of this service, if anything is. */
  readonly notice: string | undefined;
}

/** What people look at: the description of the API, its page, the dashboard; and what is to be found nowhere. */
export function mountPages(app: FastifyInstance, options: PageOptions): void {
  mountDescription(app, options);
  const page = options.meterOf('GET', '/*');
  let files: StaticFiles | undefined;
  const find = async ({ method, url, headers }: FastifyRequest) => {
    if (method !== 'GET' && method !== 'HEAD') return undefined;
    files ??= await openFiles(options.notice);
    const found = await files.find(url.replace(/\?.*$/s, ''), String(headers['accept-encoding'] ?? ''));
    // The dashboard knows which of its pages an address means; only who wants a page is shown one.
    return found ?? (isForPage(url, headers) ? files.find('/') : undefined);
  };
  // In a scope of its own, so that only what no route matched passes this gate.
  app.register(async (scope) => {
    scope.addHook(
      'onRequest',
      options.gate.hook(({ url, method }) => ({
        needsKey: liesInApi(pathOf(url)),
        isApi: liesInApi(pathOf(url)),
        device: 'never' as const,
        limit: limitOf(pathOf(url)),
        meter: options.unmatched(method),
      })),
    );
    scope.setNotFoundHandler((request, reply) => {
      find(request)
        .then((file) => {
          if (!file) throw new HarkError('NOT_FOUND');
          if (request.visit) request.visit.meter = page;
          sendFile(request, reply, file);
        })
        .catch((error) => sendError(request, reply, error));
    });
  });
}

async function openFiles(notice: string | undefined): Promise<StaticFiles> {
  const { StaticFiles } = await import('./staticFiles.ts');
  const isBuilt = existsSync(join(DASHBOARD, 'index.html'));
  return new StaticFiles({ '/docs': DOCS, '': isBuilt ? DASHBOARD : NOT_BUILT }, notice);
}

/** Whether somebody goes to an address of the dashboard with a browser: no file, and nothing of the API. */
function isForPage(url: string, { accept = '' }: FastifyRequest['headers']): boolean {
  const path = pathOf(url);
  return accept.includes('text/html') && !liesInApi(path) && /^(?:\/[\w-]+)+$/.test(path);
}

function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { bytes, etag, headers }: NonNullable<Awaited<ReturnType<StaticFiles['find']>>>,
): void {
  Object.assign(request.visit?.headers ?? {}, headers, { etag });
  if (request.headers['if-none-match'] === etag) sendEmpty(request, reply, 304);
  else send(request, reply, 200, { content: bytes, length: bytes.length });
}

function mountDescription(
  app: FastifyInstance,
  { gate, meterOf, operations, version, notice }: PageOptions,
): void {
  const path = '/api/openapi.json';
  const meter = meterOf('GET', path);
  const guarded = { needsKey: true, isApi: true, device: 'never', limit: limitOf(path), meter } as const;
  let payload: Promise<Payload> | undefined;
  app.get(path, { onRequest: gate.hook(() => guarded) }, (request, reply) => {
    payload ??= import('./openapi.ts').then(async ({ describe }) =>
      textPayload(JSON.stringify(await describe(operations, version, notice))),
    );
    payload
      .then((ready) => send(request, reply, 200, ready))
      .catch((error) => sendError(request, reply, error));
  });
}

function pathOf(url: string): string {
  const path = url.replace(/\?.*$/s, '');
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
