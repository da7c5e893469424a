import { type Contract, openapi, VERSION, type WebhookDefinition } from '@bellhop/protocol';
import express, { type Express } from 'express';
import helmet from 'helmet';

import { docsPage } from './docs-page.ts';
import { type Exchange, exchangeOf } from './exchange.ts';
import { sendError } from './send-response.ts';

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
  /** Counts a request for a page other than a health check. Throws RATE_LIMIT_HIT. */
  readonly limit: (exchange: Exchange) => Promise<void>;
  /** Further APIs by name: documented at `/api/docs/NAME` and `/api/openapi/NAME.json`. */
  readonly further?: Readonly<Record<string, FurtherApi>>;
  /** Static pages by path. */
  readonly fixed?: Readonly<
    Record<string, { readonly type: string; readonly body: string | Buffer }>
  >;
}

interface FurtherApi {
  readonly contract: Contract;
  readonly title: string;
  readonly prefix: string;
}

/** The pages of a service beside its API: documentation, OpenAPI and health checks. */
export function sitePages(site: Site): Express {
  const { prefix, webhooks = {}, fixed = {}, further = {} } = site;
  const app = express().disable('x-powered-by');
  app.use(
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: { defaultSrc: ["'none'"], styleSrc: ["'unsafe-inline'"] },
      },
    }),
  );
  addHealthChecks(app, site);
  app.use(async (request, response, next) => {
    const exchange = exchangeOf(request, response, site.behindProxy);
    try {
      await site.limit(exchange);
      next();
    } catch (error) {
      sendError(response, exchange, error);
    }
  });
  app.get('/', (_request, response) => response.redirect('/api/docs'));
  addDocumentation(app, { ...site, webhooks }, ['/api/docs', '/api/openapi.json']);
  for (const [name, api] of Object.entries(further))
    addDocumentation(app, { ...api, webhooks: {} }, [
      `/api/docs/${name}`,
      `/api/openapi/${name}.json`,
    ]);
  for (const [path, { type, body }] of Object.entries(fixed))
    app.get(path, (_request, response) => void response.type(type).send(body));
  app.use((_request, response) => {
    response.status(404).json({
      result: 'error',
      msg: `There is no such page; the API is at ${prefix}, its documentation at /api/docs`,
      code: 'NOT_FOUND',
    });
  });
  return app;
}

type Documented = FurtherApi & Required<Pick<Site, 'webhooks'>>;

function addDocumentation(
  app: Express,
  { contract, title, prefix, webhooks }: Documented,
  [page, document]: readonly [page: string, document: string],
): void {
  const html = once(() => docsPage(contract, { title, prefix, webhooks }));
  const specification = once(() =>
    JSON.stringify(openapi(contract, { title, version: VERSION, server: prefix, webhooks })),
  );
  app.get(page, (_request, response) => void response.type('html').send(html()));
  app.get(document, (_request, response) => void response.type('json').send(specification()));
}

/** Makes a text when it is first asked for: most servers are never asked for their documentation. */
function once(make: () => string): () => string {
  let made: string | undefined;
  return () => (made ??= make());
}

function addHealthChecks(app: Express, { ready, details }: Pick<Site, 'ready' | 'details'>): void {
  app.get('/livez', (_request, response) => void response.json({ status: 'alive' }));
  let checking: Promise<object | undefined> | undefined;
  // Anybody may ask, so concurrent requests share one question to the database.
  const isReady = () =>
    (checking ??= ready()
      .then(() => details?.() ?? {})
      .catch(() => undefined)
      .finally(() => (checking = undefined)));
  app.get('/readyz', async (_request, response) => {
    const answer = await isReady();
    response
      .status(answer ? 200 : 503)
      .json({ status: answer ? 'ready' : 'no database', ...answer });
  });
}
