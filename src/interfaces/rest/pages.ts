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

const FOLDERS = {
  '/docs': fileURLToPath(new URL('./docs', import.meta.url)),
  '': fileURLToPath(new URL('../dashboard/public', import.meta.url)),
};

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
  const find = async (request: FastifyRequest) => {
    files ??= new (await import('./staticFiles.ts')).StaticFiles(FOLDERS, options.notice);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    return isRead ? files.find(request.url.replace(/\?.*$/s, '')) : undefined;
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
    payload ??= import('./openapi.ts').then(({ describe }) =>
      textPayload(JSON.stringify(describe(operations, version, notice))),
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
