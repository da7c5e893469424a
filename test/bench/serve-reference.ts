import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The message that the child process of a reference sends when it listens. */
export interface ReferenceReady {
  readonly url: string;
}

/**
 * Serves a reference in a child process on a free port. Any message of the parent is answered with the
 * processor time of the process, in microseconds. Exits with its parent.
 */
export function serveReference(server: Server): void {
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo;
    process.send?.({ url: `http://127.0.0.1:${port}` } satisfies ReferenceReady);
  });
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send?.(user + system);
  });
  process.on('disconnect', () => process.exit());
}
