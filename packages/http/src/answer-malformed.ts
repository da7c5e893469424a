import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

import { ApiError, stringifyJson } from '@bellhop/protocol/contract';

import { METHODS } from './read-target.ts';

interface ParserError extends NodeJS.ErrnoException {
  /** What the parser of Node misses, in fixed words. */
  readonly reason?: string;
}

/**
 * A listener of `clientError`: sends the documented error to a client whose address and headers are too
 * long or whose request is not HTTP, and disconnects it. 408 to one that is too slow.
 */
export const answerMalformed =
  (maxHeaderBytes: number) =>
  (error: ParserError, socket: Duplex): void => {
    if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
    const answer =
      error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? head(408, '')
        : withBody(errorFor(error, maxHeaderBytes));
    socket.end(answer, () => socket.destroy());
  };

/** A listener of `connect`. */
export function answerConnect(_request: unknown, socket: Duplex): void {
  const message = 'This server is no proxy';
  const data = { allowed_methods: METHODS };
  const answer = withBody(new ApiError('METHOD_NOT_ALLOWED', { message, data }));
  socket.on('error', () => undefined);
  socket.end(answer, () => socket.destroy());
}

function errorFor({ code, reason }: ParserError, maxHeaderBytes: number): ApiError {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new ApiError('PAYLOAD_TOO_LARGE', {
      message: `The address and headers of a request may have ${maxHeaderBytes} bytes, and it may have 1,000 headers: send long parameters in the body of a POST`,
    });
  if (code === 'HPE_INVALID_METHOD')
    return new ApiError('BAD_REQUEST', {
      message: 'The request does not begin with a method of HTTP, such as GET or POST',
    });
  if (code === 'HPE_PAUSED_H2_UPGRADE')
    return new ApiError('BAD_REQUEST', {
      message: 'This server speaks HTTP/1.1; HTTP/2 is for a proxy before it',
    });
  const why = reason ? `: ${reason}` : '';
  return new ApiError('BAD_REQUEST', { message: `The request is not valid HTTP${why}` });
}

function withBody({ status, code, message: msg, data }: ApiError): string {
  const body = stringifyJson({ result: 'error', msg, code, ...data });
  const headers = `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`;
  return head(status, headers) + body;
}

const head = (status: number, headers: string): string =>
  `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\n${headers}\r\n`;
