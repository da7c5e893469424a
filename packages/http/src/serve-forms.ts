import { createHash } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

import { ApiError } from '@bellhop/protocol/contract';

import { bodiesInFlight, type HeldBody } from './bodies-in-flight.ts';
import { refuseCrossSite } from './cross-site.ts';
import { CompressedBody } from './declared-body.ts';
import { type Exchange, exchangeOf } from './exchange.ts';
import { type Fields, readBody } from './read-fields.ts';
import { escapeHtml } from './schema-tables.ts';

/** A page for people. */
export interface FormPage {
  readonly status: number;
  readonly title: string;
  /** The HTML below the title. The caller escapes every text with `escapeHtml`. */
  readonly content: string;
}
export interface FormOptions {
  readonly behindProxy: boolean;
  /** See `serveContract`. */
  readonly ownOrigin: (exchange: Exchange) => Promise<string | undefined>;
  /**
   * The page for a request; a POST comes with its fields. Throws an ApiError for a page that shows
   * only an error.
   */
  readonly respond: (exchange: Exchange, fields: Fields | undefined) => Promise<FormPage>;
  readonly onError: (error: unknown) => void;
  /** Turns an error of the program into an ApiError for the person. Default: none is turned. */
  readonly toApiError?: (error: unknown) => unknown;
}

/** The limit of the body of a form, in bytes. */
const BODY_LIMIT = 65_536;

/**
 * Serves pages with forms that work without scripts. Pages of other sites cannot send the forms, and no
 * page can frame them.
 */
export function serveForms(forms: FormOptions): RequestListener {
  const answer = async (request: IncomingMessage, response: ServerResponse, exchange: Exchange) => {
    let page: FormPage;
    const held = bodiesInFlight.of(exchange.ip);
    try {
      page = await forms.respond(exchange, await fieldsOf(request, exchange, { ...forms, held }));
    } catch (error) {
      if (!(error instanceof ApiError)) forms.onError(error);
      request.resume();
      page = errorPage(forms.toApiError?.(error) ?? error, exchange);
    } finally {
      held.release();
    }
    send(response, exchange, page);
  };
  return (request, response) => {
    const exchange = exchangeOf(request, response, forms.behindProxy);
    answer(request, response, exchange).catch(forms.onError);
  };
}

async function fieldsOf(
  request: IncomingMessage,
  exchange: Exchange,
  { ownOrigin, held }: Pick<FormOptions, 'ownOrigin'> & { readonly held: HeldBody },
): Promise<Fields | undefined> {
  const { method } = exchange;
  if (method === 'GET' || method === 'HEAD') return undefined;
  if (method !== 'POST') {
    exchange.setHeader('allow', 'GET, HEAD, POST');
    throw new ApiError('METHOD_NOT_ALLOWED');
  }
  await refuseCrossSite(exchange, ownOrigin);
  const body = await readBody(request, {
    limit: BODY_LIMIT,
    kind: 'form',
    fileLimit: undefined,
    held,
  });
  return body.fields;
}

function errorPage(error: unknown, exchange: Exchange): FormPage {
  const { status, message, data } =
    error instanceof ApiError ? error : new ApiError('INTERNAL_ERROR');
  const retryAfter = data['retry-after'];
  if (typeof retryAfter === 'number')
    exchange.setHeader('retry-after', String(Math.ceil(retryAfter)));
  if (error instanceof CompressedBody) exchange.setHeader('accept-encoding', 'identity');
  return { status, title: 'This did not work', content: `<p>${escapeHtml(message)}</p>` };
}

function send(
  response: ServerResponse,
  { method }: Exchange,
  { status, title, content }: FormPage,
): void {
  if (response.destroyed) return;
  const name = escapeHtml(title);
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex"><title>${name}</title><style>${STYLE}</style></head>
<body><main><h1>${name}</h1>
${content}
</main></body></html>
`;
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(html) });
  response.end(method === 'HEAD' ? undefined : html);
}

/** In the colours of the console, light or dark as the system is. */
const STYLE = `:root{color-scheme:light dark}
body{font:1rem/1.5 system-ui,sans-serif;margin:0;color:light-dark(#1a1d24,#e7e9ee);background:light-dark(#f6f7f9,#0f1115)}
main{max-width:24rem;margin:10vh auto 2rem;padding:2rem;background:light-dark(#fff,#171a20);border:1px solid light-dark(#dcdfe6,#2a2f39);border-radius:.625rem}
h1{font-size:1.25rem;line-height:1.4;margin:0 0 1rem;overflow-wrap:anywhere}p{margin:1rem 0;overflow-wrap:anywhere}
label{display:block;margin-top:1rem;font-weight:600}small{display:block;font-weight:400;color:light-dark(#565d6c,#a0a8b8)}
input{font:inherit;width:100%;box-sizing:border-box;min-height:2.75rem;margin-top:.25rem;padding:.5rem .75rem;color:inherit;background:transparent;border:1px solid light-dark(#7d8494,#6f7787);border-radius:.375rem}
input[readonly]{border-color:transparent;background:light-dark(#eef0f4,#0b0d10)}
input[type=checkbox]{width:1.25rem;min-height:1.25rem;height:1.25rem;margin:0 .25rem 0 0;vertical-align:-.25rem}
button{font:inherit;font-weight:600;width:100%;min-height:2.75rem;margin-top:1.5rem;padding:.5rem 1.2rem;color:light-dark(#fff,#0f1115);background:light-dark(#2f5bd7,#8fb0ff);border:0;border-radius:.375rem;cursor:pointer}
a{color:light-dark(#2f5bd7,#8fb0ff);text-underline-offset:2px}
input:focus-visible,button:focus-visible,a:focus-visible{outline:2px solid light-dark(#2f5bd7,#8fb0ff);outline-offset:2px}
[role=alert]{padding:.5rem .75rem;border-radius:.375rem;background:light-dark(#fde7e5,#3d1614)}
@media(max-width:28rem){main{margin:0;padding:1.5rem 1rem;border:0;background:transparent}}`;

const styleHash = createHash('sha256').update(STYLE).digest('base64');

/** `same-origin`: with `no-referrer` a browser sends `Origin: null` with the form. */
const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};
