import { api, outgoingWebhooks } from '@bellhop/protocol';
import { expect, test } from 'vitest';

import { docsPage } from './docs-page.ts';

const page = docsPage(api, { title: 'Bell & hop', prefix: '/api/v1', webhooks: outgoingWebhooks });

test('docsPage has a section and a link for each operation, and lists its errors', () => {
  for (const [resource, endpoints] of Object.entries(api))
    for (const [operation, { errors }] of Object.entries(endpoints)) {
      const name = `${resource}.${operation}`;
      expect(page).toContain(`href="#${name}"`);
      const section = page.split(`<section id="${name}">`)[1]?.split('</section>')[0] ?? '';
      for (const code of errors) expect(section).toContain(`<code>${code}</code>`);
    }
});

test('docsPage names the feature levels of an operation and of its newer parameters', () => {
  const section = page.split('<section id="users.deactivate">')[1]?.split('</section>')[0];
  expect(section).toContain('feature level 1 ');
  expect(section).toContain('newer parameters: deactivation_notification_comment 135');
});

test('docsPage describes the requests that the server sends', () => {
  for (const [name, { summary }] of Object.entries(outgoingWebhooks)) {
    expect(page).toContain(`href="#${name}"`);
    expect(page).toContain(`<section id="${name}">`);
    expect(page).toContain(summary);
  }
});

test('docsPage describes every schema that it links to', () => {
  const named = new Set([...page.matchAll(/href="#(shape-\w+)"/g)].map(([, id]) => id));
  expect(named.size).toBeGreaterThan(5);
  for (const id of named) expect(page).toContain(`id="${id}"`);
  expect(page).toContain('<code>RATE_LIMIT_HIT</code> (429)');
});

test('docsPage escapes text and names the type of every field', () => {
  expect(page).toContain('<title>Bell &#38; hop</title>');
  expect(page).not.toMatch(/undefined|\[object/);
});
