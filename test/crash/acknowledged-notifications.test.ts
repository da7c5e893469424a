import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { sealing } from '@bellhop/push-crypto';
import { bouncerEnvironment, type Fault, startSimulator } from '@bellhop/push-simulator';

import { type Program, startProgram } from '../support/program.ts';
import { compareFound, crashTest } from './crash-test.fixture.ts';
import { startPushSenders } from './push-senders.fixture.ts';

const STOPS = 6;

crashTest(
  `${STOPS} times SIGTERM during notify lose no acknowledged notification and send none twice`,
  async () => {
    await using ends = new AsyncDisposableStack();
    const dataDir = await mkdtemp(join(tmpdir(), 'bellhop-crash-'));
    ends.defer(() => rm(dataDir, { recursive: true, force: true }));
    const simulator = await startSimulator();
    ends.defer(() => simulator.stop());
    const { publicKey, secretKey } = sealing.generateKeyPair();
    const env = {
      ...bouncerEnvironment(simulator),
      BELLHOP_BOUNCER_KEYS: `${publicKey}:${secretKey}`,
      BELLHOP_BOUNCER_SERVERS: 'any',
      BELLHOP_BOUNCER_RATE_LIMIT: '1000000',
      BELLHOP_BOUNCER_PORT: '0',
      BELLHOP_DATA_DIR: dataDir,
    };
    const start = () => startProgram(['bouncer'], { env, ready: /"msg":"listening"/ });
    let program: Program = await start();
    ends.defer(() => program[Symbol.asyncDispose]());
    const url = () => /"url":"([^"]+)"/.exec(program.output())?.[1] ?? '';
    const senders = await startPushSenders({ simulator, publicKey, url });
    const setFault = (fault: Fault) => {
      simulator.faults.clear();
      for (const provider of ['apns', 'fcm'] as const) simulator.faults.add({ provider, fault });
    };
    for (let stops = 0; stops < STOPS; stops++) {
      setFault({ slow_ms: 100 });
      await senders.acknowledgedMore(200);
      // Every second time the providers do not answer: the notifications under way must be in the
      // queue.
      if (stops % 2 === 1) setFault('silent');
      await program.signal('SIGTERM');
      setFault({ slow_ms: 100 });
      program = await start();
    }
    await senders.acknowledgedMore(200);
    await senders.stop();
    await senders.allReceived();
    return compareFound(senders.acknowledged, senders.received);
  },
);
