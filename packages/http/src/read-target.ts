import type { IncomingMessage, ServerResponse } from 'node:http';

import { stringifyJson } from '@bellhop/protocol/contract';

/** The methods that some path of a service takes. */
export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
/** A host name, IPv4 address or bracketed IPv6 address, and a port (RFC 9110, section 7.2). */
const HOST = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i;
const ABSOLUTE = /^https?:\/\/([^/?#]+)(.*)$/is;

/**
 * Brings the target of a request into the form that handlers know: a path with one slash before it and, if
 * the client sent a whole URL, the Host of that URL (RFC 9112, section 3.2). Answers a request that is
 * for no handler: one about the whole server, and one whose target or Host is invalid. Returns whether a
 * handler shall answer.
 */
export function readTarget(request: IncomingMessage, response: ServerResponse): boolean {
  const { url = '', method } = request;
  const wrong = wrongHost(request);
  if (wrong !== undefined) return refuse(response, wrong);
  if (url.startsWith('/')) {
    if (url.startsWith('//')) request.url = url.replace(/^\/+/, '/');
    return true;
  }
  const [, host, path = ''] = ABSOLUTE.exec(url) ?? [];
  const isForServer = url === '*' || (host !== undefined && path === '');
  if (method === 'OPTIONS' && isForServer) {
    response.writeHead(204, { allow: METHODS.join(', ') }).end();
    return false;
  }
  if (host === undefined || !HOST.test(host))
    return refuse(response, 'The target of the request is neither a path nor an http:// URL');
  request.headers.host = host;
  request.url = path.replace(/^\/*/, '/');
  return true;
}

/** A listener of `checkExpectation`: Node meets `100-continue` by itself. */
export const answerExpectation = (_request: IncomingMessage, response: ServerResponse): void =>
  void refuse(response, 'The header Expect of a request can only be 100-continue', 417);

/** What is wrong with the Host header; undefined if it is valid. */
function wrongHost({ rawHeaders, headers, httpVersion }: IncomingMessage): string | undefined {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') count++;
  }
  if (count > 1) return `A request has one Host header; this one has ${count}`;
  const { host } = headers;
  if (host === undefined)
    return httpVersion === '1.0' ? undefined : 'The Host header is missing from the request';
  return HOST.test(host) ? undefined : 'The Host header is not a host name with or without a port';
}

/** The connection ends: a proxy on the way may read the request in another way. */
function refuse(response: ServerResponse, msg: string, status = 400): false {
  const body = stringifyJson({ result: 'error', msg, code: 'BAD_REQUEST' });
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  });
  response.end(body);
  return false;
}
