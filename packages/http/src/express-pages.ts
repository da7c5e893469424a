import { openapi, VERSION } from '@bellhop/protocol/contract';
import express, { type Express, type RequestHandler } from 'express';
import helmet from 'helmet';

import { docsPage } from './docs-page.ts';
import { exchangeOf } from './exchange.ts';
import { homePage } from './home-page.ts';
import { once } from './once.ts';
import { sendError } from './send-response.ts';
import { type FurtherApi, HEALTH_PATHS, type Site } from './site.ts';

/** The documentation of a site, its OpenAPI documents and its static pages. */
export function expressPages(site: Site): Express {
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
  app.use(async (request, response, next) => {
    const exchange = exchangeOf(request, response, site.behindProxy);
    try {
      await site.limit(exchange);
      next();
    } catch (error) {
      sendError(response, exchange, error);
    }
  });
  addPage(app, '/', async (_request, response) => {
    // A browser keeps the fragment of a link, such as #narrow/channel/5.
    const home = await site.home?.();
    if (home !== undefined) response.redirect(home);
    else response.type('html').send(homePage(site.title, linksOf(site)));
  });
  addDocumentation(app, { ...site, webhooks }, ['/api/docs', '/api/openapi.json']);
  for (const [name, api] of Object.entries(further))
    addDocumentation(app, { ...api, webhooks: {} }, [
      `/api/docs/${name}`,
      `/api/openapi/${name}.json`,
    ]);
  for (const [path, { type, body }] of Object.entries(fixed)) {
    const made = once(body);
    addPage(app, path, (_request, response) => void response.type(type).send(made()));
  }
  app.all(HEALTH_PATHS, onlyRead);
  app.use((_request, response) => {
    response.status(404).json({
      result: 'error',
      msg: `There is no such page; the API is at ${prefix}, its documentation at /api/docs`,
      code: 'NOT_FOUND',
    });
  });
  return app;
}

const linksOf = ({ title, further = {} }: Site) => [
  { path: '/api/docs', label: `${title}: every operation, with its parameters and errors` },
  ...Object.entries(further).map(([name, api]) => ({
    path: `/api/docs/${name}`,
    label: api.title,
  })),
  { path: '/api/openapi.json', label: 'The same for programs: OpenAPI' },
];

type Documented = FurtherApi & Required<Pick<Site, 'webhooks'>>;

function addDocumentation(
  app: Express,
  { contract, title, prefix, webhooks }: Documented,
  [page, document]: readonly [page: string, document: string],
): void {
  // Most servers are never asked for their documentation.
  const html = once(() => docsPage(contract, { title, prefix, webhooks }));
  const specification = once(() =>
    JSON.stringify(openapi(contract, { title, version: VERSION, server: prefix, webhooks })),
  );
  addPage(app, page, (_request, response) => void response.type('html').send(html()));
  addPage(app, document, (_request, response) => void response.type('json').send(specification()));
}

const addPage = (app: Express, path: string, page: RequestHandler): void =>
  void app.route(path).get(page).all(onlyRead);

/** Answers the methods other than GET and HEAD. */
const onlyRead: RequestHandler = ({ method }, response) => {
  response.set('allow', 'GET, HEAD, OPTIONS');
  if (method === 'OPTIONS') return void response.status(204).end();
  response.status(405).json({
    result: 'error',
    msg: 'This page can only be read: use GET',
    code: 'METHOD_NOT_ALLOWED',
    allowed_methods: ['GET'],
  });
};
