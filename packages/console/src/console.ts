import { readFile } from 'node:fs/promises';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { extname } from 'node:path';

/** The path of the console's pages. */
export const CONSOLE_PATH = '/console/';

const built = new URL('../dist/browser/', import.meta.url);
const mediaTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};

/** Scripts, styles, fonts and calls of this origin only; no HTML from strings but by DOMPurify. */
const headers = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types dompurify',
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

const NOT_BUILT =
  'The console is not built: run "npm run build" in the folder of Bellhop, or "npm start".\n';

/** Whether there is a build of the console to serve. */
export const isConsoleBuilt = (): Promise<boolean> =>
  readFile(new URL('index.html', built)).then(
    () => true,
    () => false,
  );

/**
 * Serves the console below `/console/`: its files, and its page for every other path, since the
 * page reads the path itself. Without a build it answers 503. `bouncer` is the page of a bouncer's
 * operator. Without `sendsMails` the page says that the mails of the server stay in its outbox.
 */
export function serveConsole(
  page: 'bouncer' | 'index' = 'index',
  { sendsMails = true }: { readonly sendsMails?: boolean } = {},
): RequestListener {
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    request.resume();
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return response.writeHead(405, { ...headers, allow: 'GET, HEAD' }).end();
    const [path = ''] = (request.url ?? '').split('?');
    if (path.startsWith(SANDBOX_PATH)) return respondWithoutSandbox(path, response, sendsMails);
    const asset = /^\/console\/assets\/([\w-]+(?:\.[\w-]+)*)$/.exec(path)?.[1];
    if (asset === undefined && path.startsWith('/console/assets/'))
      return response.writeHead(404, headers).end();
    const file = await findFile(asset === undefined ? `${page}.html` : `assets/${asset}`, request);
    if (!file) {
      const plain = { ...headers, 'content-type': 'text/plain; charset=utf-8' };
      return asset === undefined
        ? response.writeHead(503, plain).end(NOT_BUILT)
        : response.writeHead(404, plain).end('There is no such file of the console\n');
    }
    const caching = asset === undefined ? 'no-cache' : 'public, max-age=31536000, immutable';
    response.writeHead(200, {
      ...headers,
      ...file.headers,
      'cache-control': caching,
      vary: 'accept-encoding',
      'content-length': file.body.length,
    });
    return response.end(request.method === 'HEAD' ? undefined : file.body);
  };
  return (request, response) => {
    respond(request, response).catch(() => response.destroy());
  };
}

/**
 * The path of a sandbox's own operations. A page that asks a server without a sandbox gets an
 * answer, not an error.
 */
const SANDBOX_PATH = `${CONSOLE_PATH}sandbox/`;

function respondWithoutSandbox(path: string, response: ServerResponse, sends_mails: boolean): void {
  const isQuestion = path === `${SANDBOX_PATH}about`;
  const answer = isQuestion
    ? { result: 'success', msg: '', is_sandbox: false, sends_mails }
    : { result: 'error', code: 'NOT_FOUND', msg: 'This server is not part of a sandbox' };
  response
    .writeHead(isQuestion ? 200 : 404, { ...headers, 'content-type': 'application/json' })
    .end(JSON.stringify(answer));
}

interface BuiltFile {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** A file of the build, compressed if the browser takes that and the build has it. */
async function findFile(name: string, { headers: asked }: IncomingMessage) {
  const type = { 'content-type': mediaTypes[extname(name)] ?? 'application/octet-stream' };
  const read = async (ending: string): Promise<BuiltFile | undefined> => {
    const body = await readFile(new URL(name + ending, built)).catch(() => undefined);
    const encoding = ending === '' ? {} : { 'content-encoding': 'gzip' };
    return body && { body, headers: { ...type, ...encoding } };
  };
  const takesGzip = /\bgzip\b/.test(String(asked['accept-encoding'] ?? ''));
  return (takesGzip ? await read('.gz') : undefined) ?? read('');
}
