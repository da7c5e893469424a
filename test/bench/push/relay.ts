import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP address in front of another that can refuse connections. */
export interface Relay extends AsyncDisposable {
  readonly url: string;
  /** Cuts all connections and refuses new ones. */
  readonly close: () => Promise<void>;
  readonly open: () => Promise<void>;
}

/** `url`: where connections end, on this machine. */
export async function startRelay(url: string): Promise<Relay> {
  const target = Number(new URL(url).port);
  const sockets = new Set<Socket>();
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
  };
  const server = createServer((socket) => {
    const onward = connect(target, '127.0.0.1');
    [socket, onward].forEach(track);
    socket.pipe(onward).pipe(socket);
    socket.once('close', () => onward.destroy());
    onward.once('close', () => socket.destroy());
  });
  let port = 0;
  const open = async () => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  };
  const close = async () => {
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  await open();
  return {
    url: `https://127.0.0.1:${port}`,
    close,
    open,
    [Symbol.asyncDispose]: async () => {
      if (server.listening) await close();
    },
  };
}
