import { api } from '@bellhop/protocol';
import { expect, test } from 'vitest';

import { docsPage } from './docs-page.ts';

const page = docsPage(api, { title: 'Bell & hop', prefix: '/api/v1' });

test('every operation has its section and its link, every one of its errors is listed', () => {
  for (const [resource, endpoints] of Object.entries(api))
    for (const [operation, { errors }] of Object.entries(endpoints)) {
      const name = `${resource}.${operation}`;
      expect(page).toContain(`href="#${name}"`);
      const section = page.split(`<section id="${name}">`)[1]?.split('</section>')[0] ?? '';
      for (const code of errors) expect(section).toContain(`<code>${code}</code>`);
    }
});

test('every shape that is named is described', () => {
  const named = new Set([...page.matchAll(/href="#(shape-\w+)"/g)].map(([, id]) => id));
  expect(named.size).toBeGreaterThan(5);
  for (const id of named) expect(page).toContain(`id="${id}"`);
  expect(page).toContain('<code>RATE_LIMIT_HIT</code> (429)');
});

test('text is escaped, and no schema is left unnamed', () => {
  expect(page).toContain('<title>Bell &#38; hop</title>');
  expect(page).not.toMatch(/undefined|\[object/);
});
