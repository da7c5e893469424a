import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** The systems give ports from 32,768 on to whoever asks for any; no browser refuses one of these. */
const [FIRST, AFTER_LAST] = [11_000, 32_768];

/** Ports of 127.0.0.1 on which nothing listens, and that no other program gets meanwhile by asking for any. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) {
    const port = randomInt(FIRST, AFTER_LAST);
    if (await isFree(port)) ports.add(port);
  }
  return [...ports];
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  await once(server.close(), 'close');
  return true;
}
