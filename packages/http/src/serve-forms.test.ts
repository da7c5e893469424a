import { badRequest } from '@bellhop/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type Listening, listen } from './listen.ts';
import { serveForms } from './serve-forms.ts';

const errors: unknown[] = [];
let service: Listening;
beforeAll(async () => {
  service = await listen(
    serveForms({
      behindProxy: false,
      ownOrigin: async () => 'https://chat.example.com',
      async respond({ path }, fields) {
        if (path === '/refused') throw badRequest('Not <b>you</b>');
        if (path === '/broken') throw new Error('a secret');
        return {
          status: 200,
          title: 'A <form>',
          content: `<p>${JSON.stringify(fields?.['a'] ?? '')}</p>`,
        };
      },
      onError: (error) => errors.push(error),
    }),
  );
});
afterAll(() => service.stop(0));

const post = (headers: Record<string, string> = {}, body = 'a=1') =>
  fetch(`${service.url}/`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body,
  });

describe('a page with a form', () => {
  test('allows no scripts, no frames and nothing from elsewhere', async () => {
    const response = await fetch(service.url);
    const policy = response.headers.get('content-security-policy');
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; form-action 'self'; /,
    );
    expect(policy).toContain("frame-ancestors 'none'; base-uri 'none'");
    expect(response.headers.get('cache-control')).toBe('no-store');
    const html = await response.text();
    expect(html).toContain('<title>A &#60;form&#62;</title>');
    expect(html).not.toContain('<script');
  });

  test('gets the fields of its form', async () => {
    expect(await (await post()).text()).toContain('<p>"1"</p>');
  });

  test.each([
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example.com' },
    { origin: 'null' },
  ])('refuses a form with %j', async (headers) => {
    expect((await post(headers)).status).toBe(403);
  });

  test.each([{ 'sec-fetch-site': 'same-origin' }, { origin: 'https://chat.example.com' }])(
    'accepts a form with %j',
    async (headers) => {
      expect((await post(headers)).status).toBe(200);
    },
  );

  test('refuses a body that is too large, and other methods', async () => {
    expect((await post({}, `a=${'x'.repeat(70_000)}`)).status).toBe(413);
    expect((await fetch(service.url, { method: 'DELETE' })).status).toBe(405);
    const head = await fetch(service.url, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  test('shows the text of an ApiError, escaped, and no detail of another error', async () => {
    const refused = await fetch(`${service.url}/refused`);
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain('Not &#60;b&#62;you&#60;/b&#62;');
    const broken = await fetch(`${service.url}/broken`);
    expect(broken.status).toBe(500);
    expect(await broken.text()).not.toContain('secret');
    expect(errors).toHaveLength(1);
  });
});
