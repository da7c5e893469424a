import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** How a network fails. */
export const linkFaults = ['delay', 'reset', 'black hole', 'half open'] as const;
export type LinkFault = (typeof linkFaults)[number];

/** A TCP way from those who connect to its port to one other port of this machine. */
export interface Link extends AsyncDisposable {
  readonly port: number;
  /**
   * Fails until `mend`. `delay`: bytes take longer. `reset`: all connections are reset, new ones too.
   * `black hole`: nothing passes, and nobody is told. `half open`: what the target answers does not pass.
   * With `from`, only connections to PostgreSQL with one of these as `application_name`: of standbys.
   */
  readonly fail: (fault: LinkFault, from?: readonly string[]) => void;
  readonly mend: () => void;
}

const DELAY_MS = 200;
/** In the first message of a client of PostgreSQL. */
const APPLICATION_NAME = /\0application_name\0(\w+)\0/;

/** The two ends of a connection. */
interface Connection {
  readonly sockets: readonly Socket[];
  name?: string | undefined;
}

export async function startLink(target: number): Promise<Link> {
  let failure:
    | { readonly fault: LinkFault; readonly from: readonly string[] | undefined }
    | undefined;
  let mended = Promise.withResolvers<void>();
  mended.resolve();
  const connections = new Set<Connection>();
  const faultOf = ({ name }: Connection) =>
    failure?.from === undefined || failure.from.includes(name ?? '') ? failure?.fault : undefined;
  const isHeld = (connection: Connection, isAnswer: boolean) => {
    const fault = faultOf(connection);
    return fault === 'black hole' || (fault === 'half open' && isAnswer);
  };
  const reset = ({ sockets }: Connection) => {
    for (const socket of sockets) socket.resetAndDestroy();
  };

  async function forward(connection: Connection, isAnswer: boolean): Promise<void> {
    const [from, to] = isAnswer ? connection.sockets.toReversed() : connection.sockets;
    if (!from || !to) return;
    for await (const chunk of from as AsyncIterable<Buffer>) {
      // Shorter: the question for TLS, before the first message.
      if (!isAnswer && connection.name === undefined && chunk.length > 8) {
        connection.name = APPLICATION_NAME.exec(chunk.toString('latin1'))?.[1] ?? '';
        if (faultOf(connection) === 'reset') return reset(connection);
      }
      if (faultOf(connection) === 'delay') await sleep(DELAY_MS);
      while (isHeld(connection, isAnswer)) await mended.promise;
      if (!to.write(chunk)) await once(to, 'drain');
    }
    to.end();
  }

  async function accept(client: Socket): Promise<void> {
    const unnamed = { sockets: [client] };
    if (faultOf(unnamed) === 'reset') return reset(unnamed);
    // The peer's kernel has accepted the connection; nothing of it arrives until the link is mended.
    while (isHeld(unnamed, false)) await mended.promise;
    const server = connect(target, '127.0.0.1');
    const connection: Connection = { sockets: [client, server] };
    connections.add(connection);
    const end = () => {
      connections.delete(connection);
      for (const socket of connection.sockets) socket.destroy();
    };
    for (const socket of connection.sockets) {
      socket.setNoDelay();
      socket.on('error', end);
      socket.on('close', end);
    }
    forward(connection, false).catch(end);
    forward(connection, true).catch(end);
  }

  const listener = createServer((client) => {
    client.on('error', () => {});
    void accept(client);
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return {
    port: (listener.address() as AddressInfo).port,
    fail: (fault, from) => {
      failure = { fault, from };
      mended = Promise.withResolvers();
      for (const connection of connections) if (faultOf(connection) === 'reset') reset(connection);
    },
    mend: () => {
      failure = undefined;
      mended.resolve();
    },
    [Symbol.asyncDispose]: async () => {
      failure = undefined;
      mended.resolve();
      for (const { sockets } of connections) for (const socket of sockets) socket.destroy();
      listener.close();
      await once(listener, 'close');
    },
  };
}
