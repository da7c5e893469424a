import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { PassThrough, Transform } from 'node:stream';

/** A TCP address in front of a database, which can fail as networks and failovers do. */
export interface DatabaseProxy extends AsyncDisposable {
  /** The URL of the database by way of this address. */
  readonly url: string;
  /** Accepts new connections and forwards them only after `forwardTo`. */
  readonly hold: () => void;
  /** Forwards new connections, and those that are held, to the database of this URL. */
  readonly forwardTo: (url: string) => void;
  /** Forwards nothing more of the connections that have sent this text. Their sockets stay open. */
  readonly silence: (sentText: string) => void;
  /** Closes the connections that have sent this text. */
  readonly cut: (sentText: string) => void;
  /** Makes nonsense of a statement that begins with this word, as a server does that refuses it. Undefined ends it. */
  readonly refuse: (word: string | undefined) => void;
  /** Closes the next connection that sends this text, instead of forwarding it. Resolves then. */
  readonly cutNext: (sentText: string) => Promise<void>;
}

interface ProxiedConnection {
  readonly client: Socket;
  database: Socket | undefined;
  sent: string;
}

interface DatabaseProxyOptions {
  /** By how much bytes are delayed, in each direction, in milliseconds. Default 0. */
  readonly delayMs?: number;
}

/** Starts an address in front of the database of a postgresql:// URL. */
export async function startDatabaseProxy(
  url: string,
  { delayMs = 0 }: DatabaseProxyOptions = {},
): Promise<DatabaseProxy> {
  const connections = new Set<ProxiedConnection>();
  const cuts = new Map<string, () => void>();
  let refused: string | undefined;
  let target: string | undefined = url;
  const forward = (connection: ProxiedConnection, to: string) => {
    const { client } = connection;
    const database = connect(addressOf(to));
    connection.database = database;
    database.on('error', () => client.destroy());
    database.on('close', () => client.destroy());
    database.pipe(way(delayMs)).pipe(client);
    client.on('data', (chunk) => {
      connection.sent += chunk.toString('latin1');
      for (const [text, done] of cuts) {
        if (!connection.sent.includes(text)) continue;
        cuts.delete(text);
        database.destroy();
        client.destroy();
        done();
      }
    });
    client
      .pipe(refusing(() => refused))
      .pipe(way(delayMs))
      .pipe(database);
  };
  const server = createServer((client) => {
    const connection: ProxiedConnection = { client, database: undefined, sent: '' };
    connections.add(connection);
    client.on('error', () => {});
    client.on('close', () => {
      connections.delete(connection);
      connection.database?.destroy();
    });
    if (target !== undefined) forward(connection, target);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const proxied = new URL(url);
  proxied.search = '';
  proxied.host = `127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  const having = (sentText: string) =>
    [...connections].filter(({ sent }) => sent.includes(sentText));
  return {
    url: proxied.href,
    hold: () => (target = undefined),
    forwardTo: (to) => {
      target = to;
      for (const connection of connections) if (!connection.database) forward(connection, to);
    },
    silence: (sentText) => {
      for (const { client, database } of having(sentText)) {
        client.unpipe();
        database?.unpipe();
        client.resume();
        database?.resume();
      }
    },
    cut: (sentText) => {
      for (const { client } of having(sentText)) client.destroy();
    },
    refuse: (word) => (refused = word),
    cutNext: (sentText) => new Promise((resolve) => cuts.set(sentText, resolve)),
    [Symbol.asyncDispose]: async () => {
      for (const { client } of connections) client.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A stream in which a word has become another one of the same length. */
const refusing = (word: () => string | undefined): Transform =>
  new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const refused = word();
      const at = refused === undefined ? -1 : chunk.indexOf(`${refused} `);
      if (at >= 0) chunk.write('!', at);
      done(null, chunk);
    },
  });

/** A stream that hands on what it gets after a time, in order. */
const way = (delayMs: number): Transform =>
  delayMs === 0
    ? new PassThrough()
    : new Transform({
        transform(chunk, _encoding, done) {
          setTimeout(() => this.push(chunk), delayMs);
          done();
        },
        flush: (done) => void setTimeout(done, delayMs),
      });

/** The Unix socket of an embedded PostgreSQL, or host and port. */
function addressOf(url: string): { path: string } | { host: string; port: number } {
  const { hostname, port, searchParams } = new URL(url);
  const directory = searchParams.get('host');
  if (directory !== null) return { path: `${directory}/.s.PGSQL.${port || 5432}` };
  return { host: hostname, port: Number(port || 5432) };
}
