import { readFile } from 'node:fs/promises';
import type { RequestListener, ServerResponse } from 'node:http';

import { listen } from '@bellhop/http';

import type { Phone, Received } from '../phones.ts';
import type { SandboxFile } from '../sandbox-file.ts';
import { ConsoleAccess } from './console-access.ts';
import { consolePage } from './console-page.ts';

/** A page about the running sandbox that shows notifications as the phones receive them. */
export interface Console {
  readonly url: string;
  /** An address that lets one browser in, once. */
  readonly link: () => string;
  readonly received: (phone: Phone, received: Received) => void;
  readonly show: (file: SandboxFile, phones: readonly Phone[]) => void;
  readonly stop: () => Promise<void>;
}

/**
 * Serves `/` (the page), `/phones` (JSON) and `/phones/events` (server-sent events) to browsers that
 * opened the link and to programs with a login of the sandbox. Calls `onOpened` when the link has
 * been used.
 */
export async function openConsole(port: number, onOpened = () => {}): Promise<Console> {
  const access = new ConsoleAccess();
  const watching = new Set<ServerResponse>();
  let page = '';
  let phones: readonly Phone[] = [];
  const routes: Readonly<Record<string, RequestListener>> = {
    '/': (_request, response) => {
      response.writeHead(page ? 200 : 503, {
        ...securityHeaders,
        'content-type': 'text/html; charset=utf-8',
      });
      response.end(page);
    },
    '/console.css': await asset('console.css', 'text/css'),
    '/console.js': await asset('console.js', 'text/javascript'),
    '/phones': (_request, response) => {
      response.writeHead(200, { ...securityHeaders, 'content-type': 'application/json' });
      response.end(JSON.stringify(phones));
    },
    '/phones/events': (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
      response.write(': listening\n\n');
      watching.add(response);
      response.on('close', () => watching.delete(response));
    },
  };
  const { url, stop } = await listen(
    (request, response) => {
      const isOwn = isLocal(request.headers.host) && request.method === 'GET';
      const path = isOwn ? (request.url ?? '') : '';
      const cookie = access.open(path);
      const route = routes[path];
      if (cookie !== undefined) {
        response.writeHead(303, { ...securityHeaders, location: '/', 'set-cookie': cookie }).end();
        onOpened();
      } else if (!route && !path.startsWith('/open/')) response.writeHead(404).end();
      else if (route && access.allows(request)) route(request, response);
      else response.writeHead(403, plainText).end(LOCKED);
    },
    { port },
  );
  return {
    url,
    link: () => url + access.path,
    received: ({ name }, received) => {
      const data = JSON.stringify({ name, ...received });
      for (const response of watching) response.write(`data: ${data}\n\n`);
    },
    show: (file, all) => {
      phones = all;
      access.admit(file.users);
      page = consolePage(file);
    },
    stop: async () => {
      for (const response of watching) response.end();
      await stop(0);
    },
  };
}

const LOCKED =
  'Open the link that the sandbox printed last. It works once; then the sandbox prints another.\n';

/** Allows the page only its own parts, and no frame around it. */
const securityHeaders = {
  'content-security-policy':
    "default-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

const plainText = { ...securityHeaders, 'content-type': 'text/plain; charset=utf-8' };

async function asset(name: string, type: string): Promise<RequestListener> {
  const content = await readFile(new URL(name, import.meta.url));
  return (_request, response) =>
    response
      .writeHead(200, { ...securityHeaders, 'content-type': `${type}; charset=utf-8` })
      .end(content);
}

/** Rejects other host names: a web site could point one at this machine and read the page. */
const isLocal = (host = '') => /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host);
