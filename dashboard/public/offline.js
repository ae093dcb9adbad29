/*
 * The service worker of the dashboard. It keeps the page and its files, so that the page opens without the service and
 * says so. What the service answers is never kept.
 */

const KEPT = 'hark';
/** What is no page of the dashboard. */
const PASSED = /^\/(?:api|v1|mcp|ws|docs|health|metrics)(?:\/|$)/;

self.addEventListener('install', (event) => {
  // What is never kept need not wait for this worker to wake up.
  event.addRoutes?.([
    { condition: { urlPattern: new URLPattern({ pathname: '/api/*' }) }, source: 'network' },
  ]);
  self.skipWaiting();
});

self.addEventListener('activate', (event) => {
  event.waitUntil(Promise.all([self.clients.claim(), self.registration.navigationPreload?.enable()]));
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  if (pathname.startsWith('/assets/')) event.respondWith(unchanging(request));
  else if (request.mode === 'navigate' && !PASSED.test(pathname)) event.respondWith(page(event));
});

/** A file whose name changes with its content. */
async function unchanging(request) {
  const kept = await caches.open(KEPT);
  const known = await kept.match(request);
  if (known) return known;
  const answer = await fetch(request);
  if (answer.ok) await kept.put(request, answer.clone());
  return answer;
}

/**
 * Every page is the same file. The newest is asked for first; the one that is kept is for when nobody answers. Another
 * one names other files, and those of the one before are of no more use: they go before it asks for its own.
 */
async function page(event) {
  // Where nothing can be kept, it is shown all the same.
  const known = caches.match('/', { cacheName: KEPT }).catch(() => undefined);
  try {
    const answer = (await event.preloadResponse) ?? (await fetch(event.request));
    if (answer.ok) await keep(answer.clone(), await known).catch(() => undefined);
    return answer;
  } catch (error) {
    const kept = await known;
    if (kept) return kept;
    throw error;
  }
}

async function keep(answer, known) {
  if (known?.headers.get('etag') === answer.headers.get('etag')) return;
  // Without one before, there may be files already that the page asked for before it was asked for here.
  if (known) await caches.delete(KEPT);
  await (await caches.open(KEPT)).put('/', answer);
}
