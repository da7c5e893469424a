/** A child process: a server that holds GET requests and answers all of them with the body of a POST. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The message that the process sends when it listens. */
export interface HoldingReady {
  readonly url: string;
  readonly pid: number;
}

let held: ServerResponse[] = [];
const server = createServer((request, response) => {
  if (request.method === 'GET') return void held.push(response);
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const text = Buffer.concat(chunks).toString();
    const headers = { 'content-type': 'application/json', 'content-length': text.length };
    for (const waiting of held) waiting.writeHead(200, headers).end(text);
    held = [];
    response.end('{}');
  });
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.send?.({ url: `http://127.0.0.1:${port}`, pid: process.pid } satisfies HoldingReady);
});
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.(user + system);
});
process.on('disconnect', () => process.exit());
