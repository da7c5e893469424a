import { type Contract, openapi, VERSION } from '@bellhop/protocol';
import express, { type Express } from 'express';
import helmet from 'helmet';

import { docsPage } from './docs-page.ts';

export interface Site {
  readonly contract: Contract;
  readonly title: string;
  /** Prefix of the API's paths. */
  readonly prefix: string;
  /** Rejects while the service cannot work, for instance without its database. */
  readonly ready: () => Promise<unknown>;
  /** A registry of prom-client. */
  readonly registry: { readonly contentType: string; readonly metrics: () => Promise<string> };
  /** Static pages by path. */
  readonly fixed?: Readonly<Record<string, { readonly type: string; readonly body: string }>>;
}

/** The pages of a service beside its API: documentation, OpenAPI, health and metrics. */
export function sitePages({ contract, title, prefix, ready, registry, fixed = {} }: Site): Express {
  const app = express().disable('x-powered-by');
  app.use(
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: { defaultSrc: ["'none'"], styleSrc: ["'unsafe-inline'"] },
      },
    }),
  );
  const html = docsPage(contract, { title, prefix });
  app.get('/', (_request, response) => response.redirect('/api/docs'));
  app.get('/api/docs', (_request, response) => void response.type('html').send(html));
  app.get('/api/openapi.json', (_request, response) => {
    response.json(openapi(contract, { title, version: VERSION, server: prefix }));
  });
  for (const [path, { type, body }] of Object.entries(fixed))
    app.get(path, (_request, response) => void response.type(type).send(body));
  app.get('/livez', (_request, response) => void response.json({ status: 'alive' }));
  app.get('/readyz', async (_request, response) => {
    const isReady = await ready().then(
      () => true,
      () => false,
    );
    response.status(isReady ? 200 : 503).json({ status: isReady ? 'ready' : 'no database' });
  });
  app.get('/metrics', async (_request, response) => {
    response.type(registry.contentType).send(await registry.metrics());
  });
  app.use((_request, response) => {
    response.status(404).json({
      result: 'error',
      msg: `There is no such page; the API is at ${prefix}, its documentation at /api/docs`,
      code: 'NOT_FOUND',
    });
  });
  return app;
}
