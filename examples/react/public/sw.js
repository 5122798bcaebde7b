// Keeps the page on the device, so that it opens without a network. Its data is elsewhere: src/choices.ts and src/outbox.

const cacheName = 'page';

addEventListener('install', (event) => event.waitUntil(keepPage()));

addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.mode === 'navigate') {
    event.respondWith(caches.match('/', { ignoreVary: true }).then((page) => page ?? fetch(request)));
    // The next visit gets a new version. Without a network there is none.
    event.waitUntil(keepPage().catch(() => undefined));
  } else if (new URL(request.url).pathname.startsWith('/assets/')) {
    event.respondWith(caches.match(request, { ignoreVary: true }).then((asset) => asset ?? fetch(request)));
  }
});

/** Takes a new version of the page once all files that it names are here. */
async function keepPage() {
  const cache = await caches.open(cacheName);
  const earlier = await cache.match('/');
  const page = await fetch('/', { cache: 'no-cache' });
  const assets = await assetsOf(page.clone());
  // The page of a hotspot's sign-in names no such files.
  if (!page.ok || assets.length === 0) throw new Error('This is not the page.');
  await Promise.all(assets.map(async (path) => (await cache.match(path)) ?? cache.add(path)));
  await cache.put('/', page);

  // A tab that opens now may still have the earlier page.
  const needed = ['/', ...assets, ...(earlier ? await assetsOf(earlier) : [])];
  const stored = (await cache.keys()).map(({ url }) => new URL(url).pathname);
  await Promise.all(stored.filter((path) => !needed.includes(path)).map((path) => cache.delete(path)));
}

const assetsOf = async (page) => [...(await page.text()).matchAll(/"(\/assets\/[^"]+)"/g)].map(([, path]) => path);
