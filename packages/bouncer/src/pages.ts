import { docsPage } from '@bellhop/http';
import { bouncer, openapi, VERSION } from '@bellhop/protocol';
import express, { type Express } from 'express';
import helmet from 'helmet';
import type { Registry } from 'prom-client';

const title = 'Bellhop push bouncer API';

interface Pages {
  readonly prefix: string;
  /** Rejects when the bouncer cannot do its work. */
  readonly ready: () => Promise<unknown>;
  readonly registry: Registry;
}

/** Everything beside the API: its documentation, health and metrics. */
export function pages({ prefix, ready, registry }: Pages): Express {
  const app = express().disable('x-powered-by');
  app.use(
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: { defaultSrc: ["'none'"], styleSrc: ["'unsafe-inline'"] },
      },
    }),
  );
  const html = docsPage(bouncer, { title, prefix });
  app.get('/', (_request, response) => response.redirect('/api/docs'));
  app.get('/api/docs', (_request, response) => void response.type('html').send(html));
  app.get('/api/openapi.json', (_request, response) => {
    response.json(openapi(bouncer, { title, version: VERSION, server: prefix }));
  });
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
      msg: `There is nothing here; the API is at ${prefix}, its documentation at /api/docs`,
      code: 'NOT_FOUND',
    });
  });
  return app;
}
