import { listen } from '@bellhop/http';
import { createServer, readConfig } from '@bellhop/server';
import { pino } from 'pino';
import { afterEach, expect, test, vi } from 'vitest';

import { startCastle } from '../castle.fixture.ts';
import { runBellhop } from '../run-bellhop.fixture.ts';

afterEach(() => vi.unstubAllEnvs());

test('bellhop realm reset-password prints a link with which the owner gets in again, without mail', async () => {
  await using castle = await startCastle();
  const run = (...args: string[]) => runBellhop('realm', 'reset-password', ...args);
  const former = await run('ada@chat.test');
  const { code, out, err } = await run(' Ada@chat.test ');
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(/^http:\/\/127\.0\.0\.1:4600\/reset_password\/\w{32}\n$/);

  const server = await createServer({
    config: readConfig(castle.env),
    db: castle.database,
    log: pino({ level: 'silent' }),
  });
  const listening = await listen(server.listener);
  try {
    const choose = (link: string) =>
      fetch(new URL(new URL(link.trim()).pathname, listening.url), {
        method: 'POST',
        body: new URLSearchParams({ password: 'a new password 5' }),
      });
    expect((await choose(former.out)).status).toBe(404);
    expect((await choose(out)).status).toBe(200);
    const login = await fetch(`${listening.url}/api/v1/fetch_api_key`, {
      method: 'POST',
      body: new URLSearchParams({ username: 'ada@chat.test', password: 'a new password 5' }),
    });
    expect(login.status).toBe(200);
  } finally {
    await listening.stop(0);
    await server.stop();
  }

  for (const [args, message] of [
    [['nobody@chat.test'], 'Nobody with an active account has the address nobody@chat.test.'],
    [['ada@chat.test', '--subdomain', 'court'], 'no organization'],
  ] as const) {
    const refused = await run(...args);
    expect([refused.code, refused.out]).toEqual([1, '']);
    expect(refused.err).toContain(message);
  }
  vi.stubEnv('BELLHOP_SECRET', 'the secret of another server, and no use');
  const other = await run('ada@chat.test');
  expect([other.code, other.out]).toEqual([1, '']);
  expect(other.err).toContain('BELLHOP_SECRET is not the secret');
  vi.stubEnv('BELLHOP_SECRET', '');
  expect((await run('ada@chat.test')).err).toContain('BELLHOP_SECRET');
});
