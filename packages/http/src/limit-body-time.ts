import type { IncomingMessage, ServerResponse } from 'node:http';

const timers = new WeakMap<IncomingMessage, NodeJS.Timeout>();

/** Cuts a client off that has not sent its whole body in this time; 408 where nothing was answered. */
export function limitBodyTime(
  request: IncomingMessage,
  response: ServerResponse,
  timeoutMs: number,
): void {
  const timer = setTimeout(() => {
    const { socket } = request;
    if (!response.headersSent)
      socket.write('HTTP/1.1 408 Request Timeout\r\nconnection: close\r\n\r\n');
    socket.destroySoon();
  }, timeoutMs);
  timers.set(request, timer);
  const stop = () => clearTimeout(timer);
  request.once('end', stop).once('close', stop);
}

/** Starts the time anew: for a body that is long and still arriving. */
export const bodyIsArriving = (request: IncomingMessage): void =>
  void timers.get(request)?.refresh();

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
