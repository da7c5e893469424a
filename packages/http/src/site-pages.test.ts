import { expect, test } from 'vitest';

import { listen } from './listen.ts';
import { sitePages } from './site-pages.ts';

const site = {
  contract: {},
  title: 'Example API',
  prefix: '/api/v1',
  ready: async () => {},
  behindProxy: false,
  limit: async () => {},
  further: { v1: { contract: {}, title: 'Example API, version 1', prefix: '/v1' } },
};

test('/ leads to the page for people, and without one lists the pages of the service', async () => {
  await using withHome = await listen(sitePages({ ...site, home: async () => '/console/' }));
  const { status, headers } = await fetch(withHome.url, { redirect: 'manual' });
  expect([status, headers.get('location')]).toEqual([302, '/console/']);
  await using without = await listen(sitePages(site));
  const page = await fetch(without.url);
  expect([page.status, page.headers.get('content-type')]).toEqual([
    200,
    expect.stringMatching(/html/),
  ]);
  const text = await page.text();
  const paths = [...text.matchAll(/href="([^"]+)"/g)].map(([, path]) => path);
  expect(paths).toEqual(['/api/docs', '/api/docs/v1', '/api/openapi.json']);
});
