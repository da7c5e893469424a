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

/** Answers for a service that is being started: it is alive, not ready, and takes no requests. */
export function startingPages(trouble: () => StartTrouble | undefined): RequestListener {
  return (request, response) => {
    const path = request.url?.split('?')[0];
    if (path === '/livez') return sendJson(response, 200, { status: 'alive' });
    const { status, msg } = trouble() ?? STARTING;
    response.setHeader('retry-after', '1');
    if (path === '/readyz') sendJson(response, 503, { status, msg });
    else sendJson(response, 503, { result: 'error', code: 'SERVICE_UNAVAILABLE', msg });
  };
}
/** Why a start waits. */
export interface StartTrouble {
  /** A few words for programs. */
  readonly status: string;
  /** A sentence. */
  readonly msg: string;
}

const STARTING: StartTrouble = {
  status: 'starting',
  msg: 'The service is starting. Try again in a few seconds.',
};
const LEAVING = { status: 'stopping', msg: 'The service is about to stop.' };

function sendJson(response: ServerResponse, status: number, body: object): void {
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  };
  response.writeHead(status, headers).end(JSON.stringify(body));
}
