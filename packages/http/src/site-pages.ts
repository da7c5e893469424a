import type { RequestListener, ServerResponse } from 'node:http';

import type { Contract, WebhookDefinition } from '@bellhop/protocol/contract';

import type { Exchange } from './exchange.ts';
import { loadListener } from './load-listener.ts';

export interface Site {
  readonly contract: Contract;
  /** Requests that the service sends, by name. */
  readonly webhooks?: Readonly<Record<string, WebhookDefinition>>;
  readonly title: string;
  /** Prefix of the API's paths. */
  readonly prefix: string;
  /** Rejects while the service cannot work, for instance without its database. */
  readonly ready: () => Promise<unknown>;
  /** Further fields of the answer of `/readyz`. */
  readonly details?: () => Promise<object>;
  /** Whether to trust `X-Forwarded-*` headers. */
  readonly behindProxy: boolean;
  /** Called once if the modules of the pages cannot be loaded; their requests are not answered then. */
  readonly onLoadFailure: (error: unknown) => void;
  /** Counts a request for a page other than a health check. Throws RATE_LIMIT_HIT. */
  readonly limit: (exchange: Exchange) => Promise<void>;
  /** The page for people to which `/` leads; without one, `/` lists the pages of the service. */
  readonly home?: () => Promise<string | undefined>;
  /** Further APIs by name: documented at `/api/docs/NAME` and `/api/openapi/NAME.json`. */
  readonly further?: Readonly<Record<string, FurtherApi>>;
  /** Static pages by path. A body is made when it is first asked for. */
  readonly fixed?: Readonly<
    Record<string, { readonly type: string; readonly body: () => string | Buffer }>
  >;
}

export interface FurtherApi {
  readonly contract: Contract;
  readonly title: string;
  readonly prefix: string;
}

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
