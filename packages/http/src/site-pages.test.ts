import request from 'supertest';
import { expect, test } from 'vitest';

import { sitePages } from './site-pages.ts';

const site = {
  contract: {},
  title: 'Example API',
  prefix: '/api/v1',
  readiness: async () => ({ isReady: true, body: {} }),
  behindProxy: false,
  limit: async () => {},
  onLoadFailure: () => {},
  further: { v1: { contract: {}, title: 'Example API, version 1', prefix: '/v1' } },
};

test('/ redirects to the page for people; a service without one lists its pages at /', async () => {
  const home = async () => '/console/';
  await request(sitePages({ ...site, home }))
    .get('/')
    .expect(302)
    .expect('location', '/console/');
  const { text } = await request(sitePages(site))
    .get('/')
    .expect(200)
    .expect('content-type', /html/);
  const paths = [...text.matchAll(/href="([^"]+)"/g)].map(([, path]) => path);
  expect(paths).toEqual(['/api/docs', '/api/docs/v1', '/api/openapi.json']);
});

test.each(['/', '/livez', '/readyz', '/api/docs', '/api/openapi.json', '/api/docs/v1'])(
  'the page %s can only be read',
  async (path) => {
    const pages = sitePages(site);
    await request(pages).get(path).expect(200);
    await request(pages).head(path).expect(200);
    await request(pages).options(path).expect(204).expect('allow', 'GET, HEAD, OPTIONS');
    for (const method of ['post', 'put', 'delete', 'trace'] as const) {
      const { body } = await request(pages)[method](path).expect(405);
      expect(body).toMatchObject({ code: 'METHOD_NOT_ALLOWED', allowed_methods: ['GET'] });
    }
  },
);
