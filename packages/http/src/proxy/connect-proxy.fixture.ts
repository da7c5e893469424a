import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

interface ConnectProxyOptions {
  /** `user:password`; without it everybody may use the proxy. */
  readonly login?: string;
  /** Answers with this status instead of opening tunnels; `silent` answers nothing. */
  readonly answer?: number | 'silent' | undefined;
  /** Connects every tunnel to this port of this machine. */
  readonly port?: number;
}

/** An HTTP proxy on loopback that opens tunnels to loopback. */
export async function startConnectProxy(options: ConnectProxyOptions = {}) {
  const sockets = new Set<Socket>();
  const asked: string[] = [];
  const current = { ...options };
  const server = createServer((_request, response) => {
    response.writeHead(405).end();
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => {});
  });
  server.on('connect', ({ url = '', headers }, socket: Socket) => {
    asked.push(url);
    const { login, answer, port = Number(/\d+$/.exec(url)?.[0]) } = current;
    if (answer === 'silent') {
      socket.on('end', () => socket.end()).resume();
      return;
    }
    const wanted = login === undefined ? undefined : `Basic ${btoa(login)}`;
    const isAllowed = wanted === undefined || headers['proxy-authorization'] === wanted;
    const status = answer ?? (isAllowed ? 200 : 407);
    if (status !== 200) {
      socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    const target = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(target).pipe(socket);
    });
    sockets.add(target);
    target.on('error', () => socket.destroy()).on('close', () => socket.destroy());
    socket.on('close', () => target.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    /** Without a login. */
    host: `127.0.0.1:${port}`,
    /** The targets that it was asked for, `host:port`. */
    asked,
    /** The number of open connections. */
    connections: () => sockets.size,
    /** Changes the behaviour for later requests. */
    set: (changes: ConnectProxyOptions) => void Object.assign(current, changes),
    async stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
