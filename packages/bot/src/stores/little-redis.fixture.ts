import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

import { replaceScript } from './redis-replace.ts';

type Answer = string | null | readonly Answer[];

/**
 * The few commands of Redis that redisStore uses, on the real wire (RESP 2), for tests where no
 * Redis is at hand. It is no Redis: it runs no Lua, and knows the one script by its text.
 */
export async function startLittleRedis() {
  const entries = new Map<string, { readonly text: string; readonly expiresAt: number }>();
  const sockets = new Set<Socket>();

  function alive(key: string): string | null {
    const entry = entries.get(key);
    return entry !== undefined && entry.expiresAt > Date.now() ? entry.text : null;
  }

  function set([key = '', text = '', ...options]: readonly string[]): Answer {
    if (options.includes('NX') && alive(key) !== null) return null;
    const life = options.includes('PX') ? Number(options.at(-1)) : Infinity;
    entries.set(key, { text, expiresAt: Date.now() + life });
    return 'OK';
  }

  const commands: Record<string, (args: readonly string[]) => Answer> = {
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
      // In two parts that overlap, as a real SCAN may answer.
      const half = Math.ceil(keys.length / 2);
      return cursor === '0' ? ['7', keys.slice(0, half + 1)] : ['0', keys.slice(half)];
    },
    eval([script, , key = '', text = '', version = '', ...options]) {
      if (script !== replaceScript) throw new Error('ERR this script is not known');
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

/** An array of bulk strings, or undefined while it is not whole. */
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

function resp(answer: Answer): string {
  if (answer === null) return '$-1\r\n';
  if (typeof answer === 'string') return `$${Buffer.byteLength(answer)}\r\n${answer}\r\n`;
  return `*${answer.length}\r\n${answer.map(resp).join('')}`;
}
