import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startPostgres } from '@bellhop/postgres';
import { sealing } from '@bellhop/push-crypto';
import { bouncerEnvironment, startSimulator } from '@bellhop/push-simulator';

import { registerPushServer } from '../support/push-server.ts';
import { startBouncerNode } from './bouncer-node.fixture.ts';
import { startChatPhones } from './chat-phones.fixture.ts';
import { crashTest } from './crash-test.fixture.ts';
import { killPostgres } from './kill-postgres.fixture.ts';
import { faultRounds, underWay } from './provider-faults.fixture.ts';
import { startPushCallers } from './push-callers.fixture.ts';
import { pushFindings } from './push-findings.fixture.ts';
import { registerPhones } from './push-phones.fixture.ts';

const ROUNDS = Number(process.env['BELLHOP_CRASH_CYCLES'] ?? 20);
const PHONES = 500;
/** In each round every phone gets one notification. */
const BATCH_SIZE = 20;
/** Answered requests before PostgreSQL is killed, and after that before the bouncer is. */
const BEFORE_KILL = 8;

crashTest(
  `${ROUNDS * PHONES} notifications to ${PHONES} phones, and messages of a chat server to phones whose keys and tokens change, ${ROUNDS} SIGKILLs each of PostgreSQL and a bouncer, and faults of the providers`,
  async () => {
    await using ends = new AsyncDisposableStack();
    const directory = await mkdtemp(join(tmpdir(), 'bellhop-crash-'));
    ends.defer(() => rm(directory, { recursive: true, force: true }));
    const clock = { aheadMs: 0 };
    const simulator = await startSimulator({ now: () => Date.now() + clock.aheadMs });
    ends.defer(() => simulator.stop());
    const postgres = ends.use(await startPostgres({ dataDir: directory }));
    const { publicKey, secretKey } = sealing.generateKeyPair();
    const env = {
      ...bouncerEnvironment(simulator),
      BELLHOP_BOUNCER_DATABASE_URL: postgres.url,
      BELLHOP_BOUNCER_KEYS: `${publicKey}:${secretKey}`,
      BELLHOP_BOUNCER_SERVERS: 'any',
      BELLHOP_BOUNCER_RATE_LIMIT: '1000000',
      BELLHOP_BOUNCER_PORT: '0',
    };
    const survivor = ends.use(await startBouncerNode(env));
    const victim = ends.use(await startBouncerNode(env));
    const servers = [
      await registerPushServer(survivor.url()),
      await registerPushServer(survivor.url()),
    ];
    const phones = await registerPhones(servers, PHONES, {
      simulator,
      publicKey,
      url: survivor.url,
    });
    const url = survivor.url();
    const chat = ends.use(await startChatPhones({ simulator, publicKey, url }));
    const callers = startPushCallers([survivor.url, victim.url]);
    ends.defer(() => callers.stop());

    const memory: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const events = faultRounds[round % faultRounds.length] ?? {};
      simulator.faults.clear();
      for (const rule of [...(events.faults ?? []), ...underWay]) simulator.faults.add(rule);
      clock.aheadMs = events.clockAheadMs ?? 0;
      if (events.uninstalled) phones.uninstall(events.uninstalled);
      for (const [index, server] of servers.entries()) {
        const own = phones.all.filter((phone) => phone.server === server);
        for (let at = 0; at < own.length; at += BATCH_SIZE)
          callers.add({
            server,
            // The second server is a public one: it sends no key.
            idempotencyKey: index === 0 ? randomUUID() : undefined,
            notifications: own
              .slice(at, at + BATCH_SIZE)
              .map((phone) => phones.notificationTo(phone, `${round} to ${phone.deviceId}`)),
          });
      }
      await callers.answeredMore(BEFORE_KILL);
      await killPostgres(postgres.pid);
      await callers.answeredMore(BEFORE_KILL);
      clock.aheadMs = 0;
      if (events.reinstalled) await phones.reinstall(events.reinstalled);
      await victim.killAndStart();
      // A pause of one provider must not hide it from the faults of the next round.
      await phones.arrived(`${round} to `, PHONES / 5);
      memory.push(await survivor.memory());
    }
    simulator.faults.clear();
    await callers.answeredMore();
    await chat.stop();
    return await pushFindings({ chat, callers, phones, servers, memory, url });
  },
);
