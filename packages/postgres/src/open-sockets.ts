import { Socket } from 'node:net';

/** The sockets of the connections of one Database, also of those that are being opened. */
export class OpenSockets {
  readonly #sockets = new Set<Socket>();

  /** For the option `stream` of `pg`. */
  readonly make = (): Socket => {
    const socket = new Socket();
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    return socket;
  };

  /** Ends what waits for an answer of the database. */
  destroyAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}
