import { once } from 'node:events';
import {
  createServer,
  type Http2Server,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import {
  type AddressInfo,
  connect as connectTcp,
  createServer as createTcpServer,
  Socket,
} from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

import { afterEach, expect, test, vi } from 'vitest';

import { H2Pool, type H2PoolOptions } from './h2-pool.ts';
import { H2Failure } from './pending-request.ts';

const cleanUp: (() => void)[] = [];
afterEach(() => {
  for (const step of cleanUp.splice(0)) step();
});

type Handler = (stream: ServerHttp2Stream, body: string, peer: Peer) => void;
interface Peer {
  readonly origin: string;
  readonly server: Http2Server;
  readonly sessions: ServerHttp2Session[];
  readonly bodies: string[];
}

/** A peer that handles each complete request with the given function. */
async function peerThat(handle: Handler, port = 0): Promise<Peer> {
  const server = createServer({ settings: { maxConcurrentStreams: 100 } });
  const sessions: ServerHttp2Session[] = [];
  const bodies: string[] = [];
  server.on('session', (session) => {
    sessions.push(session);
    session.on('error', () => {});
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const peer = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    server,
    sessions,
    bodies,
  };
  server.on('stream', (stream) => {
    const chunks: Buffer[] = [];
    stream.on('error', () => {});
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      bodies.push(body);
      handle(stream, body, peer);
    });
  });
  cleanUp.push(() => {
    for (const session of sessions) session.destroy();
    server.close();
  });
  return peer;
}

/** A proxy to the peer. Frozen, it forwards nothing on its open connections, not even pings. */
async function relayTo(origin: string): Promise<{ origin: string; freeze: () => void }> {
  const sockets: Socket[] = [];
  const server = createTcpServer((near) => {
    const far = connectTcp(Number(new URL(origin).port), '127.0.0.1');
    for (const socket of [near, far]) socket.on('error', () => {});
    sockets.push(
      near.on('close', () => far.destroy()),
      far.on('close', () => near.destroy()),
    );
    near.pipe(far).pipe(near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUp.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    freeze: () => {
      for (const socket of sockets) socket.unpipe().pause();
    },
  };
}

function poolTo(origin: string, options: Omit<H2PoolOptions, 'origin'> = {}): H2Pool {
  const pool = new H2Pool({ origin, ...options });
  cleanUp.push(() => pool.close());
  return pool;
}

const ask = (pool: H2Pool, body = 'hello') => pool.request({ path: '/', headers: {}, body });
const askMany = (pool: H2Pool, count: number) =>
  Promise.all(Array.from({ length: count }, (_, n) => ask(pool, String(n))));
const failure = (asked: Promise<unknown>) =>
  asked.then(
    () => undefined,
    (error: unknown) => (error instanceof H2Failure ? error.kind : error),
  );
const echo: Handler = (stream, body) => {
  stream.respond({ ':status': 200 });
  stream.end(body);
};

test('a first request without an answer holds up the others for a moment only', async () => {
  const { origin } = await peerThat((stream, body, peer) => {
    if (body !== 'silent') echo(stream, body, peer);
  });
  const pool = poolTo(origin, { firstAnswerMs: 50, maxSessions: 1 });
  const silent = failure(ask(pool, 'silent'));
  expect((await ask(pool, 'other')).body).toBe('other');
  pool.close();
  expect(await silent).toBe('broken');
});

test('one connection carries many requests, and each gets its own response', async () => {
  const { origin, sessions } = await peerThat(echo);
  const pool = poolTo(origin);
  const answers = await askMany(pool, 300);
  expect(answers.map(({ body }) => Number(body))).toEqual(answers.map((_, n) => n));
  expect(sessions.length).toBeLessThanOrEqual(4);
  expect(pool.state()).toMatchObject({ streams: 0, bytes: 0, queued: 0 });
});

test('a new connection gets one request until it has answered', async () => {
  const held: ServerHttp2Stream[] = [];
  let most = 0;
  const { origin } = await peerThat((stream, body) => {
    if (body === '0') {
      held.push(stream);
      setTimeout(() => echo(stream, body, {} as Peer), 60);
    } else {
      most = Math.max(most, held.filter(({ closed }) => !closed).length);
      echo(stream, body, {} as Peer);
    }
  });
  await askMany(poolTo(origin, { maxSessions: 1 }), 20);
  expect(most).toBe(0);
});

test('requests that a GOAWAY left unprocessed are sent on another connection', async () => {
  let turnedAway = 0;
  const { origin, sessions } = await peerThat((stream, body, peer) => {
    const session = stream.session;
    if (session === peer.sessions[0] && Number(body) >= 10) {
      turnedAway++;
      if (turnedAway === 1)
        session?.goaway(0, (stream.id ?? 0) - 2, Buffer.from('{"reason":"Shutdown"}'));
    } else echo(stream, body, peer);
  });
  const trouble: string[] = [];
  const pool = poolTo(origin, { maxSessions: 1, trouble: (what) => trouble.push(what) });
  await askMany(pool, 10);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => ask(pool, String(n + 10))),
  );
  expect(answers.map(({ body }) => Number(body))).toEqual(answers.map((_, n) => n + 10));
  expect(turnedAway).toBeGreaterThan(0);
  expect(sessions).toHaveLength(2);
  expect(trouble).toEqual(['the peer closes a connection: {"reason":"Shutdown"}']);
});

test('a GOAWAY with an error fails only requests that the peer has read', async () => {
  const { origin } = await peerThat((stream, body, peer) => {
    if (stream.session === peer.sessions[0] && body === 'bad')
      stream.session?.goaway(2, (stream.id ?? 0) - 2);
    else if (body !== 'read') echo(stream, body, peer);
  });
  const pool = poolTo(origin, { maxSessions: 1, requestTimeoutMs: 20_000 });
  await ask(pool, 'first');
  const read = failure(ask(pool, 'read'));
  const bad = ask(pool, 'bad');
  expect(await read).toBe('broken');
  expect((await bad).body).toBe('bad');
});

test('a refused stream is sent again until the time limit of the request', async () => {
  let refusals = 3;
  const { origin } = await peerThat((stream, body, peer) => {
    if (refusals-- > 0) stream.close(7);
    else echo(stream, body, peer);
  });
  expect((await ask(poolTo(origin))).body).toBe('hello');
  refusals = Number.POSITIVE_INFINITY;
  expect(await failure(ask(poolTo(origin, { requestTimeoutMs: 200 })))).toBe('timeout');
});

test('a request that the peer may have read is not repeated', async () => {
  const { origin, bodies } = await peerThat((stream) => stream.close(2));
  expect(await failure(ask(poolTo(origin)))).toBe('broken');
  expect(bodies).toEqual(['hello']);
});

test('a peer that answers no pings is disconnected, and the next request reconnects', async () => {
  const { origin, sessions } = await peerThat((stream, body, peer) => {
    if (body !== 'freeze') echo(stream, body, peer);
  });
  const relay = await relayTo(origin);
  const pool = poolTo(relay.origin, { pingBusyMs: 50, pingTimeoutMs: 1_000 });
  await ask(pool);
  relay.freeze();
  // At its time limit it would be a 'timeout'.
  expect(await failure(ask(pool, 'freeze'))).toBe('broken');
  expect((await ask(pool)).body).toBe('hello');
  expect(sessions).toHaveLength(2);
});

test('a connection with a slow response stays open while pings are answered', async () => {
  const { origin, sessions } = await peerThat((stream, body, peer) => {
    setTimeout(() => echo(stream, body, peer), body === 'slow' ? 400 : 0);
  });
  const options = { pingBusyMs: 20, pingTimeoutMs: 150, maxSessions: 1 };
  // On a busy machine a ping may take too long: then the same is tried with another pool.
  await vi.waitFor(async () => {
    const pool = poolTo(origin, options);
    const before = sessions.length;
    await ask(pool);
    expect((await ask(pool, 'slow')).body).toBe('slow');
    expect(sessions).toHaveLength(before + 1);
  }, 15_000);
});

test('the time limit of a request includes the last byte of the response', async () => {
  const { origin } = await peerThat((stream) => {
    stream.respond({ ':status': 200 });
    const drip = setInterval(() => stream.write('.'), 20);
    stream.on('close', () => clearInterval(drip));
  });
  expect(await failure(ask(poolTo(origin, { requestTimeoutMs: 150 })))).toBe('timeout');
});

test('a response over maxResponseBytes fails', async () => {
  const { origin } = await peerThat((stream) => {
    stream.respond({ ':status': 200 });
    stream.end('x'.repeat(5_000));
  });
  expect(await failure(ask(poolTo(origin, { maxResponseBytes: 4_000 })))).toBe('too_large');
});

test('open requests do not exceed the window of the peer', async () => {
  let pool: H2Pool | undefined;
  let most = 0;
  const { origin } = await peerThat((stream, _body, peer) => {
    most = Math.max(most, pool?.state().bytes ?? 0);
    setTimeout(() => echo(stream, 'ok', peer), 5);
  });
  pool = poolTo(origin, { maxSessions: 1 });
  const one = pool;
  await Promise.all(Array.from({ length: 60 }, () => ask(one, 'x'.repeat(4_000))));
  expect(most).toBeGreaterThan(40_000);
  expect(most).toBeLessThanOrEqual(65_535);
});

test('requests fail at once while the peer is down, and succeed when it is back', async () => {
  const gone = await peerThat(echo);
  const port = Number(new URL(gone.origin).port);
  gone.server.close();
  await once(gone.server, 'close');
  const trouble: string[] = [];
  const pool = poolTo(gone.origin, { trouble: (what) => trouble.push(what) });
  expect(await failure(ask(pool))).toBe('connect');
  expect(trouble).toEqual([`cannot connect to ${gone.origin}`]);
  await peerThat(echo, port);
  expect((await ask(pool)).body).toBe('hello');
});

test('retireSessions lets open requests finish and sends new ones on new connections', async () => {
  const release: (() => void)[] = [];
  const { origin, sessions } = await peerThat((stream, body, peer) => {
    if (body === 'held') release.push(() => echo(stream, body, peer));
    else echo(stream, body, peer);
  });
  const pool = poolTo(origin, { maxSessions: 1 });
  await ask(pool);
  const held = ask(pool, 'held');
  while (release.length === 0) await wait(5);
  pool.retireSessions();
  expect((await ask(pool)).body).toBe('hello');
  expect(pool.state()).toMatchObject({ sessions: 1, draining: 1 });
  for (const go of release) go();
  expect((await held).body).toBe('held');
  expect(sessions).toHaveLength(2);
});

test('close fails open requests', async () => {
  const { origin } = await peerThat(() => {});
  const pool = poolTo(origin);
  const asked = [failure(ask(pool)), failure(ask(pool))];
  await wait(50);
  pool.close();
  expect(await Promise.all(asked)).toEqual([expect.stringMatching(/broken|closed/), 'closed']);
  expect(await failure(ask(pool))).toBe('closed');
});

test.each([
  ['gzip', gzipSync('hello'), 'hello'],
  ['gzip', Buffer.from('hello'), ''],
  ['gzip', gzipSync(Buffer.alloc(1_000_000)), ''],
  ['rot13', Buffer.from('hello'), ''],
])('a response in %s is decoded, and keeps its status if it cannot be', async (...given) => {
  const [encoding, sent, body] = given;
  const { origin } = await peerThat((stream) => {
    stream.respond({ ':status': 410, 'content-encoding': encoding });
    stream.end(sent);
  });
  expect(await ask(poolTo(origin))).toMatchObject({ status: 410, body });
});
