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
   */
  readonly fail: (fault: LinkFault) => void;
  readonly mend: () => void;
}

const DELAY_MS = 200;

export async function startLink(target: number): Promise<Link> {
  let fault: LinkFault | undefined;
  let mended = Promise.withResolvers<void>();
  mended.resolve();
  const sockets = new Set<Socket>();
  const isHeld = (isAnswer: boolean) =>
    fault === 'black hole' || (fault === 'half open' && isAnswer);

  async function forward(from: Socket, to: Socket, isAnswer: boolean): Promise<void> {
    for await (const chunk of from as AsyncIterable<Buffer>) {
      if (fault === 'delay') await sleep(DELAY_MS);
      while (isHeld(isAnswer)) await mended.promise;
      if (!to.write(chunk)) await once(to, 'drain');
    }
    to.end();
  }

  async function accept(client: Socket): Promise<void> {
    if (fault === 'reset') return void client.resetAndDestroy();
    // The peer's kernel has accepted the connection; nothing of it arrives until the link is mended.
    while (isHeld(false)) await mended.promise;
    const server = connect(target, '127.0.0.1');
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(socket);
      socket.setNoDelay();
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    const ended = () => {
      client.destroy();
      server.destroy();
    };
    forward(client, server, false).catch(ended);
    forward(server, client, true).catch(ended);
  }

  const listener = createServer((client) => {
    client.on('error', () => {});
    void accept(client);
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return {
    port: (listener.address() as AddressInfo).port,
    fail: (next) => {
      fault = next;
      mended = Promise.withResolvers();
      if (next === 'reset') for (const socket of sockets) socket.resetAndDestroy();
    },
    mend: () => {
      fault = undefined;
      mended.resolve();
    },
    [Symbol.asyncDispose]: async () => {
      fault = undefined;
      mended.resolve();
      for (const socket of sockets) socket.destroy();
      listener.close();
      await once(listener, 'close');
    },
  };
}
