import type { RequestListener, ServerResponse } from 'node:http';

import { loadListener } from './load-listener.ts';
import type { Site } from './site.ts';

/**
 * Serves the pages of a service beside its API: health checks, documentation, OpenAPI and static pages.
 * Health checks load nothing for it: most bouncers are never asked for another page.
 */
export function sitePages(site: Site): RequestListener {
  const isReady = readiness(site);
  const others = loadListener(
    async () => (await import('./express-pages.ts')).expressPages(site),
    site.onLoadFailure,
  );
  return (request, response) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const path = isRead ? request.url?.split('?')[0] : undefined;
    if (path === '/livez') sendJson(response, 200, { status: 'alive' });
    else if (path === '/readyz')
      void isReady().then((details) =>
        details
          ? sendJson(response, 200, { status: 'ready', ...details })
          : sendJson(response, 503, { status: 'no database' }),
      );
    else others(request, response);
  };
}

/** The details of a service that is ready; undefined while it is not. */
function readiness({ ready, details }: Pick<Site, 'ready' | 'details'>) {
  let checking: Promise<object | undefined> | undefined;
  // Anybody may ask, so concurrent requests share one question to the database.
  return () =>
    (checking ??= ready()
      .then(() => details?.() ?? {})
      .catch(() => undefined)
      .finally(() => (checking = undefined)));
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  };
  response.writeHead(status, headers).end(JSON.stringify(body));
}
