import type { IncomingMessage, ServerResponse } from 'node:http';

const timers = new WeakMap<IncomingMessage, NodeJS.Timeout>();

/** Closes the connection of a client that takes longer to send its body; 408 unless a response began. */
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

/** Restarts the time limit. For long bodies, at each chunk. */
export const restartBodyTime = (request: IncomingMessage): void =>
  void timers.get(request)?.refresh();

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
