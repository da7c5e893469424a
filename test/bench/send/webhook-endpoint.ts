import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The endpoint of the webhook bot: it answers every delivery with a short reply. */
export interface WebhookEndpoint extends AsyncDisposable {
  /** The address for one service; each service has its own path. */
  readonly urlFor: (service: string) => string;
  /** Per message id, when its delivery arrived, on the clock of `performance.now()`. */
  readonly arrivals: (service: string) => Map<number, number>;
}

export async function startWebhookEndpoint(): Promise<WebhookEndpoint> {
  const arrivals = new Map<string, Map<number, number>>();
  const arrivalsAt = (path: string) => {
    const known = arrivals.get(path) ?? new Map<number, number>();
    arrivals.set(path, known);
    return known;
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const delivery = JSON.parse(Buffer.concat(chunks).toString()) as { message: { id: number } };
      arrivalsAt(request.url ?? '').set(delivery.message.id, performance.now());
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({ content: 'Queued. I post the result **here** when it is done.' }),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    urlFor: (service) => `http://127.0.0.1:${port}/${encodeURIComponent(service)}`,
    arrivals: (service) => arrivalsAt(`/${encodeURIComponent(service)}`),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
