import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { readChannel } from './channel-reader.fixture.ts';
import { compareFound, crashTest } from './crash-test.fixture.ts';
import { startWriters } from './message-writers.fixture.ts';
import { startServerProcess } from './server-process.fixture.ts';

const CYCLES = Number(process.env['BELLHOP_CRASH_CYCLES'] ?? 10);

crashTest(`${CYCLES} SIGKILLs of a server with its PostgreSQL left running`, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'bellhop-crash-'));
  let stop: () => Promise<unknown> = () => Promise.resolve();
  try {
    let server = await startServerProcess(dataDir);
    stop = () => server.stop();
    const { apiKey } = server;
    const reader = await readChannel(server.client);
    const acknowledged: number[] = [];
    const delivered: number[] = [];
    for (let cycle = 0; cycle < CYCLES; cycle++) {
      const { client, kill } = server;
      const writers = startWriters(() => client);
      await writers.acknowledgedMore(20 + Math.floor(Math.random() * 200));
      await kill();
      await writers.stop();
      acknowledged.push(...writers.acknowledged);
      server = await startServerProcess(dataDir, { apiKey });
      // A message may be stored although its sender got no answer; never the other way round.
      delivered.push(...(await reader.delivered(server.client)));
    }
    return compareFound(acknowledged, delivered);
  } finally {
    await stop();
    await rm(dataDir, { recursive: true, force: true });
  }
});
