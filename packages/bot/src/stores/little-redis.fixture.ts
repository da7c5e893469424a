import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

import { replaceScript } from './redis-replace.ts';

type RedisReply = string | null | readonly RedisReply[];

/**
 * A stand-in for Redis on a loopback port, for tests without a Redis server. It speaks RESP 2 and
 * knows only the commands that redisStore uses. It runs no Lua: it recognises the one script by its
 * text.
 */
export async function startLittleRedis() {
  const entries = new Map<string, { readonly text: string; readonly expiresAt: number }>();
  const sockets = new Set<Socket>();

  function alive(key: string): string | null {
    const entry = entries.get(key);
    return entry !== undefined && entry.expiresAt > Date.now() ? entry.text : null;
  }

  function set([key = '', text = '', ...options]: readonly string[]): RedisReply {
    if (options.includes('NX') && alive(key) !== null) return null;
    const ttlMs = options.includes('PX') ? Number(options.at(-1)) : Infinity;
    entries.set(key, { text, expiresAt: Date.now() + ttlMs });
    return 'OK';
  }

  const commands: Record<string, (args: readonly string[]) => RedisReply> = {
    info: () => 'redis_version:7.0.0\r\nloading:0\r\n',
    client: () => 'OK',
    get: ([key = '']) => alive(key),
    set,
    del: ([key = '']) => (entries.delete(key) ? '1' : '0'),
    scan([cursor = '0', , pattern = '']) {
      const start = pattern.slice(0, -1).replaceAll(/\\(.)/g, '$1');
      const keys = [...entries.keys()].filter(
        (key) => key.startsWith(start) && alive(key) !== null,
      );
      // Two pages that overlap, as SCAN of a real Redis may return.
      const half = Math.ceil(keys.length / 2);
      return cursor === '0' ? ['7', keys.slice(0, half + 1)] : ['0', keys.slice(half)];
    },
    eval([script, , key = '', text = '', version = '', ...options]) {
      if (script !== replaceScript) throw new Error('ERR unknown script');
      return alive(key)?.startsWith(version) ? set([key, text, ...options]) : null;
    },
  };

  const server = createServer((socket) => {
    sockets.add(socket.on('close', () => sockets.delete(socket)));
    let unread = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      unread = Buffer.concat([unread, chunk]);
      for (let read = readCommand(unread); read !== undefined; read = readCommand(unread)) {
        unread = unread.subarray(read.length);
        const [name = '', ...args] = read.words;
        const command = commands[name.toLowerCase()];
        socket.write(
          command === undefined ? `-ERR unknown command '${name}'\r\n` : resp(command(args)),
        );
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `redis://127.0.0.1:${port}`,
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Reads an array of bulk strings; undefined while it is incomplete. */
function readCommand(bytes: Buffer): { words: string[]; length: number } | undefined {
  let at = 0;
  const number = (): number | undefined => {
    const end = bytes.indexOf('\r\n', at);
    if (end < 0) return undefined;
    const read = Number(bytes.toString('latin1', at + 1, end));
    at = end + 2;
    return read;
  };
  const count = number();
  if (count === undefined) return undefined;
  const words: string[] = [];
  for (let index = 0; index < count; index++) {
    const length = number();
    if (length === undefined || bytes.length < at + length + 2) return undefined;
    words.push(bytes.toString('utf8', at, at + length));
    at += length + 2;
  }
  return { words, length: at };
}

function resp(reply: RedisReply): string {
  if (reply === null) return '$-1\r\n';
  if (typeof reply === 'string') return `$${Buffer.byteLength(reply)}\r\n${reply}\r\n`;
  return `*${reply.length}\r\n${reply.map(resp).join('')}`;
}
