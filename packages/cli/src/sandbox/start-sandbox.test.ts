import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { UserError } from '@bellhop/bot-cli/command-line';
import { pino } from 'pino';
import { expect, test } from 'vitest';

import { portsFrom } from './ports.ts';
import { progressTo } from './progress.ts';
import { startSandbox } from './start-sandbox.ts';

// Vitest fails a file in which a promise rejects that nobody waits for.
test('a sandbox that is stopped before its first step rejects with the reason, once', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'bellhop-start-'));
  const stopped = new Error('stopped');
  const starting = startSandbox({
    dataDir: directory.path,
    ports: portsFrom('0'),
    progress: progressTo(() => {}, AbortSignal.abort(stopped)),
    log: pino({ level: 'silent' }),
  });
  await expect(starting).rejects.toBe(stopped);
});

test('a wrong variable of the chat server is an error of the user before the first step', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'bellhop-start-'));
  const starting = startSandbox({
    dataDir: directory.path,
    ports: portsFrom('0'),
    serverEnv: { BELLHOP_PUBLIC_FEATURE_LEVEL: '300' },
    progress: { step: () => expect.unreachable(), seconds: () => '' },
    log: pino({ level: 'silent' }),
  });
  const error = await starting.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(UserError);
  expect((error as Error).message).toContain('BELLHOP_PUBLIC_FEATURE_LEVEL: ');
});
