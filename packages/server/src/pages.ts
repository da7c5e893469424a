import { docsPage } from '@bellhop/http';
import type { Database } from '@bellhop/postgres';
import { api, openapi, VERSION } from '@bellhop/protocol';
import express, { type Express } from 'express';
import helmet from 'helmet';
import { sql } from 'kysely';
import type { Registry } from 'prom-client';

import type { Tables } from './tables.ts';

/** A bell on a counter: the picture of a realm that has none of its own. */
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="12" fill="#0b6bcb"/><path d="M14 44a18 18 0 0 1 36 0zM29 22h6v5h-6zM10 47h44v5H10z" fill="#fff"/></svg>`;

const title = 'Bellhop chat server API';

/** Everything beside the API: its documentation, health and metrics. */
export function pages({ db, registry }: { db: Database<Tables>; registry: Registry }): Express {
  const app = express().disable('x-powered-by');
  app.use(
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: { defaultSrc: ["'none'"], styleSrc: ["'unsafe-inline'"] },
      },
    }),
  );
  const html = docsPage(api, { title, prefix: '/api/v1' });
  app.get('/', (_request, response) => response.redirect('/api/docs'));
  app.get('/api/docs', (_request, response) => void response.type('html').send(html));
  app.get('/api/openapi.json', (_request, response) => {
    response.json(openapi(api, { title, version: VERSION, server: '/api/v1' }));
  });
  app.get('/api/icon.svg', (_request, response) => void response.type('svg').send(ICON));
  // No emoji has a name here yet.
  app.get('/api/emoji.json', (_request, response) => void response.json({ code_to_names: {} }));
  app.get('/livez', (_request, response) => void response.json({ status: 'alive' }));
  app.get('/readyz', async (_request, response) => {
    const ready = await sql`select 1`.execute(db.kysely).then(
      () => true,
      () => false,
    );
    response.status(ready ? 200 : 503).json({ status: ready ? 'ready' : 'no database' });
  });
  app.get('/metrics', async (_request, response) => {
    response.type(registry.contentType).send(await registry.metrics());
  });
  app.use((_request, response) => {
    response.status(404).json({
      result: 'error',
      msg: 'There is nothing here; the API is at /api/v1, its documentation at /api/docs',
      code: 'NOT_FOUND',
    });
  });
  return app;
}
