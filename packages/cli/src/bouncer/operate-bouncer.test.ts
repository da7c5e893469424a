import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test, vi } from 'vitest';

import { runBellhop } from '../run-bellhop.fixture.ts';

test('an offline command that makes a new embedded database says which variable is not set', async () => {
  await using ends = new AsyncDisposableStack();
  const base = await mkdtemp(join(tmpdir(), 'bellhop-operate-'));
  ends.defer(() => rm(base, { recursive: true }));
  ends.defer(() => {
    vi.unstubAllEnvs();
  });
  // Nothing can be made in a file, so that the command ends here.
  await writeFile(join(base, 'file'), '');
  const dataDir = join(base, 'file', 'data');
  vi.stubEnv('BELLHOP_BOUNCER_DATABASE_URL', '');
  vi.stubEnv('BELLHOP_DATA_DIR', dataDir);
  const { err } = await runBellhop('bouncer', 'keys', 'first');
  expect(err).toContain(
    `BELLHOP_BOUNCER_DATABASE_URL is not set: making a new embedded database in ${dataDir}.\n`,
  );
});
