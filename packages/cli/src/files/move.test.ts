import { createClient } from '@bellhop/client';
import { listen } from '@bellhop/http';
import { createServer, readConfig } from '@bellhop/server';
import { startS3 } from '@bellhop/server/s3-server';
import { pino } from 'pino';
import { afterEach, expect, test, vi } from 'vitest';

import { startCastle } from '../castle.fixture.ts';
import { runBellhop } from '../run-bellhop.fixture.ts';

afterEach(() => vi.unstubAllEnvs());

test('bellhop files move takes the files of a running server to the store and back', async () => {
  await using ends = new AsyncDisposableStack();
  const store = ends.use(await startS3());
  const castle = ends.use(await startCastle({ ...store.env, BELLHOP_FILES: 'database' }));
  const { env, api_key } = castle;
  const server = await createServer({
    config: readConfig(env),
    db: castle.database,
    log: pino({ level: 'silent' }),
  });
  ends.defer(() => server.stop());
  const { url, stop } = await listen(server.listener);
  ends.defer(() => stop(0));
  const ada = createClient({ url, email: 'ada@chat.test', apiKey: api_key });
  const file = new File(['x'.repeat(1_500_000)], 'x.txt');
  const uploaded = await ada.uploads.create({}, { file });
  const content = async () => {
    const authorization = `Basic ${btoa(`ada@chat.test:${api_key}`)}`;
    return (await fetch(url + uploaded.url, { headers: { authorization } })).text();
  };
  const run = (...args: string[]) => runBellhop('files', 'move', ...args);

  const there = await run('--to', 's3');
  expect(there.code, there.err).toBe(0);
  expect(there.out).toBe(
    'Moved 1 file with 1.4 MiB, to the S3-compatible store.\nBELLHOP_FILES is database here: servers with this setting still store new files in the database.\n',
  );
  // A slow machine prints more of them.
  expect(there.err).toMatch(/^0 of 1 file with 1\.4 MiB moved, 0\.0 MiB\n/);
  expect([...store.objects.values()].map(({ length }) => length)).toEqual([1_500_000]);
  expect(await content()).toHaveLength(1_500_000);

  const back = await run('--to', 'database');
  expect([back.code, back.out]).toEqual([0, 'Moved 1 file with 1.4 MiB, to the database.\n']);
  expect(store.objects.size).toBe(0);
  expect(await content()).toHaveLength(1_500_000);

  await run('--to', 's3');
  store.objects.clear();
  const lost = await run('--to', 'database');
  expect([lost.code, lost.out]).toEqual([1, 'Moved 0 files with 0.0 MiB, to the database.\n']);
  expect(lost.err).toContain(`${uploaded.url} has lost its content: `);

  store.trouble = () => ({ answer: [403, 'AccessDenied'] });
  const refused = await run('--to', 'database');
  expect([refused.code, refused.out]).toEqual([1, '']);
  expect(refused.err).toContain('403 AccessDenied');
  expect((await run('--to', 'tape')).err).toContain('write s3 or database');
  for (const name of Object.keys(store.env)) vi.stubEnv(name, '');
  expect((await run('--to', 's3')).err).toContain('Set BELLHOP_S3_BUCKET');
});
