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

/** Every page is the same file. The newest is asked for first; the one that is kept is for when nobody answers. */
async function page(event) {
  try {
    const answer = (await event.preloadResponse) ?? (await fetch(event.request));
    if (answer.ok) event.waitUntil(keep(answer.clone()));
    return answer;
  } catch (error) {
    const known = await (await caches.open(KEPT)).match('/');
    if (known) return known;
    throw error;
  }
}

/** Another page names other files: those of the one before are of no more use. */
async function keep(answer) {
  const known = await (await caches.open(KEPT)).match('/');
  const isSame = known?.headers.get('etag') === answer.headers.get('etag');
  if (isSame) return;
  await caches.delete(KEPT);
  await (await caches.open(KEPT)).put('/', answer);
}
