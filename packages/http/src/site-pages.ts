import type { RequestListener, ServerResponse } from 'node:http';

import { loadListener } from './load-listener.ts';
import type { Site } from './site.ts';

/**
 * Serves the pages of a service beside its API: health checks, documentation, OpenAPI and static pages.
 * Health checks load nothing for it: most bouncers are never asked for another page.
 */
export function sitePages(site: Site): RequestListener {
  const others = loadListener(
    async () => (await import('./express-pages.ts')).expressPages(site),
    site.onLoadFailure,
  );
  return (request, response) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const path = isRead ? request.url?.split('?')[0] : undefined;
    if (path === '/livez') sendJson(response, 200, { status: 'alive' });
    else if (path === '/readyz' && site.isLeaving?.()) sendJson(response, 503, LEAVING);
    else if (path === '/readyz')
      void site
        .readiness()
        .then(({ isReady, body }) => sendJson(response, isReady ? 200 : 503, body));
    else others(request, response);
  };
}

const LEAVING = { status: 'stopping', msg: 'The service is about to stop.' };

function sendJson(response: ServerResponse, status: number, body: object): void {
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  };
  response.writeHead(status, headers).end(JSON.stringify(body));
}
