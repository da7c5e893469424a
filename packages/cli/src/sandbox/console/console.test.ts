import { roles, UserId } from '@bellhop/protocol';
import { afterEach, beforeEach, expect, test } from 'vitest';

import type { Phone, Received } from '../phones.ts';
import type { SandboxFile } from '../sandbox-file.ts';
import { consoleAuthorization } from './console-access.ts';
import { type Console, openConsole } from './console.ts';

const owner = {
  user_id: 8,
  email: 'max@bellhop.example',
  full_name: `Max <script>alert("1")</script> O'Hara`,
  role: roles.member,
  password: 'pass&word',
  api_key: 'the api key',
};
const file: SandboxFile = {
  base_url: 'http://localhost:4600',
  bouncer_url: 'http://127.0.0.1:4601',
  bouncer_public_key: 'key',
  app_id: 'org.example.app',
  console_url: 'http://127.0.0.1:4602',
  simulator: {
    fcm_url: 'https://f',
    apns_url: 'https://a',
    webpush_url: 'https://w',
    control_url: 'http://c',
    control_token: 't',
  },
  users: [owner],
  bots: [],
  devices: [{ name: 'iPhone', user_id: 8, push_account_id: '5', token_kind: 'apns' }],
  channels: [],
};
const phone: Phone = {
  name: 'iPhone',
  user_id: UserId.parse(8),
  push_account_id: '5',
  token_kind: 'apns',
  inbox: [],
};
const received: Received = {
  seq: 1,
  received_at: '2026-01-01T00:00:00Z',
  payload: { type: 'test', realm_url: 'u', realm_name: 'n', user_id: 8, time: 1 },
  encrypted_data: 'sealed',
};

let page: Console;
beforeEach(async () => {
  page = await openConsole(0);
});
afterEach(() => page.stop());

/** Opens the link as a browser; returns the headers of its later requests. */
async function openLink() {
  const answer = await fetch(page.link(), { redirect: 'manual' });
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/']);
  const [cookie = ''] = answer.headers.getSetCookie();
  expect(cookie).toMatch(/HttpOnly; SameSite=Lax/);
  return { cookie: cookie.replace(/;.*/, '') };
}
const get = async (path: string) => fetch(page.url + path, { headers: await openLink() });

test('the console shows nothing to a client that has neither opened the link nor a login', async () => {
  page.show(file, [phone]);
  const wrong = [
    {},
    { cookie: 'bellhop_console=guess' },
    { authorization: `Basic ${btoa(`${owner.email}:guess`)}` },
  ];
  for (const path of ['/', '/phones', '/phones/events', '/open/guess'])
    for (const headers of wrong) {
      const answer = await fetch(page.url + path, { headers, redirect: 'manual' });
      expect(answer.status, path).toBe(403);
      expect(await answer.text()).toContain('Open the link');
    }
});

test('the link of the console works once, and the next link lets another browser in', async () => {
  page.show(file, [phone]);
  const link = page.link();
  await openLink();
  expect((await fetch(link, { redirect: 'manual' })).status).toBe(403);
  expect(page.link()).not.toBe(link);
  const headers = await openLink();
  expect((await fetch(page.url, { headers })).status).toBe(200);
});

test('a program with a login of the sandbox gets the phones', async () => {
  page.show(file, [phone]);
  const headers = { authorization: consoleAuthorization(owner) };
  expect((await fetch(`${page.url}/phones`, { headers })).status).toBe(200);
});

test('the console page shows addresses, logins and phones, and escapes names', async () => {
  page.show(file, [phone]);
  const answer = await get('/');
  const text = await answer.text();
  for (const part of [
    'http://localhost:4600',
    'max@bellhop.example',
    'pass&#38;word',
    'data-name="iPhone"',
  ])
    expect(text).toContain(part);
  expect(text).not.toContain('<script>alert');
  expect(text).not.toContain('the api key');
});

test('the console page has a strict content security policy and no inline scripts', async () => {
  page.show(file, [phone]);
  const headers = await openLink();
  const answer = await fetch(page.url, { headers });
  const policy = answer.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'self'");
  expect(policy).not.toContain('unsafe');
  const text = await answer.text();
  expect(text).not.toMatch(/<style|<script>| style=| on\w+=/);
  const parts = [...text.matchAll(/(?:src|href)="(console\.\w+)"/g)].map(([, name = '']) => name);
  expect(parts).toEqual(['console.css', 'console.js']);
  for (const name of parts) {
    const part = await fetch(new URL(name, page.url), { headers });
    expect(part.headers.get('content-type')).toMatch(/^text\/(css|javascript); charset=utf-8$/);
    expect((await part.text()).length).toBeGreaterThan(500);
  }
});

test('the console serves the inbox of each phone, and new notifications as events', async () => {
  page.show(file, [{ ...phone, inbox: [received] }]);
  expect(await (await get('/phones')).json()).toMatchObject([
    { name: 'iPhone', inbox: [received] },
  ]);
  const { body } = await get('/phones/events');
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader?.read())?.value).toBe(': listening\n\n');
  page.received(phone, received);
  const event = (await reader?.read())?.value ?? '';
  expect(JSON.parse(event.replace('data: ', ''))).toEqual({ name: 'iPhone', ...received });
});

test('the console answers 503 before the sandbox is ready and 404 to unknown requests', async () => {
  expect((await get('/')).status).toBe(503);
  expect((await get('/nothing')).status).toBe(404);
  expect((await fetch(`${page.url}/phones`, { method: 'POST' })).status).toBe(404);
});

test('the console rejects requests with a foreign host name', async () => {
  page.show(file, [phone]);
  const cookie = await openLink();
  const { request } = await import('node:http');
  const status = await new Promise((resolve) => {
    const { port } = new URL(page.url);
    const headers = { ...cookie, host: `evil.example:${port}` };
    request({ port, host: '127.0.0.1', path: '/phones', headers }, ({ statusCode }) =>
      resolve(statusCode),
    ).end();
  });
  expect(status).toBe(404);
});
