import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

import { ApiError, stringifyJson } from '@bellhop/protocol/contract';

/**
 * A listener of `clientError`: sends the documented error to a client whose address and headers are too
 * long or whose request is not HTTP, and disconnects it. 408 to one that is too slow.
 */
export const answerMalformed =
  (maxHeaderBytes: number) =>
  ({ code = '' }: NodeJS.ErrnoException, socket: Duplex): void => {
    if (!socket.writable || code === 'ECONNRESET') return void socket.destroy();
    const answer =
      code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? head(408, '')
        : withBody(errorFor(code, maxHeaderBytes));
    socket.end(answer, () => socket.destroy());
  };

const errorFor = (code: string, maxHeaderBytes: number): ApiError =>
  code === 'HPE_HEADER_OVERFLOW'
    ? new ApiError('PAYLOAD_TOO_LARGE', {
        message: `The address and headers of a request may have ${maxHeaderBytes} bytes: send long parameters in the body of a POST`,
      })
    : new ApiError('BAD_REQUEST', { message: 'The request is not valid HTTP' });

function withBody({ status, code, message: msg }: ApiError): string {
  const body = stringifyJson({ result: 'error', msg, code });
  const headers = `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`;
  return head(status, headers) + body;
}

const head = (status: number, headers: string): string =>
  `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\n${headers}\r\n`;
