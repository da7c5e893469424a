import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

interface Backend {
  readonly socket: Socket;
  isFree: boolean;
  /** Called with each message of the server. */
  receive: (type: string, message: Buffer) => void;
}

/** Which of the free sessions the next transaction gets. */
type Choose = (free: number) => number;

export interface MixingPooler extends AsyncDisposable {
  readonly url: string;
}

const SESSIONS = 3;

/**
 * A pooler that gives each transaction one of a few sessions, as PgBouncer does with
 * `pool_mode = transaction`. The database must let the user in without a password.
 */
export async function startMixingPooler(url: string, choose: Choose): Promise<MixingPooler> {
  const sockets = new Set<Socket>();
  const backends: Backend[] = [];
  const server = createServer((client) => {
    sockets.add(client);
    client.on('error', () => {});
    let current: Backend | undefined;
    const start = async (startup: Buffer) => {
      while (backends.length < SESSIONS) backends.push(await openBackend(url, startup, sockets));
      // Authentication is done; a made-up process number and key.
      client.write(message('R', Buffer.from([0, 0, 0, 0])));
      client.write(message('K', Buffer.from([0, 0, 0, 1, 0, 0, 0, 2])));
      client.write(message('Z', Buffer.from('I')));
    };
    const forward = (sent: Buffer) => {
      if (!current) {
        const free = backends.filter(({ isFree }) => isFree);
        current = free[choose(free.length)];
        if (!current) return client.destroy();
        const backend = current;
        backend.isFree = false;
        backend.receive = (type, received) => {
          client.write(received);
          if (type !== 'Z' || received.at(-1) !== 'I'.charCodeAt(0)) return;
          backend.isFree = true;
          current = undefined;
        };
      }
      current.socket.write(sent);
      return undefined;
    };
    let isStarted = false;
    client.on('data', (chunk) => {
      if (isStarted) forward(chunk);
      else void start(chunk);
      isStarted = true;
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const pooled = new URL(url);
  pooled.search = '';
  pooled.host = `127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  return {
    url: pooled.href,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

async function openBackend(url: string, startup: Buffer, sockets: Set<Socket>): Promise<Backend> {
  const { hostname, port, searchParams } = new URL(url);
  const directory = searchParams.get('host');
  const socket =
    directory === null
      ? connect(Number(port || 5432), hostname)
      : connect(`${directory}/.s.PGSQL.${port || 5432}`);
  sockets.add(socket);
  socket.on('error', () => {});
  const backend: Backend = { socket, isFree: true, receive: () => {} };
  const ready = new Promise<void>((resolve) => {
    backend.receive = (type) => type === 'Z' && resolve();
  });
  let rest = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 5 && rest.length > rest.readInt32BE(1)) {
      const length = 1 + rest.readInt32BE(1);
      const received = rest.subarray(0, length);
      rest = rest.subarray(length);
      backend.receive(received.toString('latin1', 0, 1), received);
    }
  });
  socket.write(startup);
  await ready;
  return backend;
}

function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type, 'latin1');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}
