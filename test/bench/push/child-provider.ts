/**
 * A child process: APNs and FCM that accept everything, with as little work as possible, so that the
 * sender is measured and not the simulator. Its argument is a TlsIdentity.
 */
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import type { AddressInfo } from 'node:net';

import type { TlsIdentity } from '@bellhop/push-simulator';

const { cert, key } = JSON.parse(process.argv[2] ?? '') as TlsIdentity;
const accessToken = JSON.stringify({
  access_token: 'token',
  expires_in: 3_600,
  token_type: 'Bearer',
});
const accepted = JSON.stringify({ name: 'projects/bench/messages/1' });
let count = 0;

const server = createSecureServer({
  cert,
  key,
  allowHTTP1: true,
  settings: { maxConcurrentStreams: 1_000 },
});
server.on('stream', (stream, headers) => {
  const path = headers[':path'] ?? '';
  stream.on('error', () => {});
  stream.on('data', () => {});
  stream.on('end', () => {
    // The sender has given up: a busy machine.
    if (stream.destroyed) return;
    if (path.startsWith('/3/')) {
      count++;
      stream.respond({ ':status': 200, 'apns-id': headers['apns-id'] }, { endStream: true });
      return;
    }
    stream.respond({ ':status': 200, 'content-type': 'application/json' });
    stream.end(answerTo(path));
  });
});
server.on('request', (request: Http2ServerRequest, response: Http2ServerResponse) => {
  if (request.httpVersionMajor !== 1) return;
  request.on('data', () => {});
  request.on('end', () => {
    response.setHeader('content-type', 'application/json');
    response.end(answerTo(request.url));
  });
});

function answerTo(path: string): string {
  if (path.startsWith('/token')) return accessToken;
  count++;
  return accepted;
}

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.send?.(`https://127.0.0.1:${port}`);
});
process.on('message', () => process.send?.(count));
process.on('disconnect', () => process.exit());
