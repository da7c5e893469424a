import { sql } from 'kysely';
import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';

import { doubtDevice } from '../devices/queries.ts';
import { startPushTest, type TestDevice } from '../doors/push-test.fixture.ts';
import { Senders } from '../providers/senders.ts';
import { resumePushes } from '../retry/resume-pushes.ts';
import { DeletionGuard } from './deletion-guard.ts';
import { ProviderHealth } from './provider-health.ts';
import { ProviderStates } from './provider-states.ts';
import { sendersOf } from './senders.fixture.ts';

const { bouncer, notifyAll, addDevice, addDevices, arrival, received, retriesTo } =
  await startPushTest();
const { simulator, kysely, now } = bouncer;
const { unused } = sendersOf(bouncer.config);
const log = pino({ level: 'silent' });

const HOLD = 4_711;
/** Makes every insert of a notification wait while a transaction holds the lock. Those of repeating jobs go on. */
await sql
  .raw(
    `create function hold_insert() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock_shared(${HOLD}); return new; end $$;
    create trigger hold_insert before insert on job for each row when (new.payload ? 'device_id')
      execute function hold_insert()`,
  )
  .execute(kysely);

afterEach(async () => {
  await bouncer.stop();
  await sql`delete from job`.execute(kysely);
  await bouncer.start();
});

/** Has the bouncer pause FCM for 300 seconds. Returns its configuration. */
async function startPaused(): Promise<ReturnType<typeof unused>> {
  const config = unused();
  await bouncer.restart(config);
  const fault = { status: 429, reason: 'QUOTA_EXCEEDED', retry_after: 300 };
  simulator.faults.add({ provider: 'fcm', times: 3, fault });
  await notifyAll('fcm', ...(await addDevices('fcm', 3)));
  return config;
}

/** Has FCM call the device dead without being believed: its notification is queued for a minute. */
async function doubt(device: TestDevice): Promise<void> {
  const fault = { status: 404, reason: 'UNREGISTERED' };
  simulator.faults.add({ provider: 'fcm', times: 1, fault });
  const reason = expect.stringContaining('doubted');
  expect((await notifyAll('fcm', device)).outcomes).toMatchObject([{ outcome: 'queued', reason }]);
}

/** Sends a notification that the bouncer queues, and runs `meanwhile` before it is committed. */
async function queueDuring(device: TestDevice, meanwhile: () => Promise<void>): Promise<void> {
  const isHolding = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const holding = bouncer.database.transaction(async (tx) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(HOLD)})`.execute(tx);
    isHolding.resolve();
    await release.promise;
  });
  await isHolding.promise;
  const answer = notifyAll('fcm', device);
  await expect.poll(waitingInserts).toBe(1);
  await meanwhile();
  release.resolve();
  await holding;
  expect((await answer).outcomes).toMatchObject([{ outcome: 'queued' }]);
}

/** What one more node on the same database knows of FCM. */
function anotherNode(config: ReturnType<typeof unused>) {
  const senders = new Senders({ log, now });
  senders.use({ ...bouncer.config, ...config });
  const resume = resumePushes({ database: bouncer.database, now });
  const states = new ProviderStates({ kysely, senders: () => senders.all(), log });
  const health = new ProviderHealth({ states, onRecovery: resume.onRecovery, log, now });
  const sender = senders.find('fcm', null);
  const [gateway] = sender?.gateways ?? [];
  if (!sender || !gateway) throw new Error('no FCM');
  const target = { gateway, app: null };
  const guard = new DeletionGuard({ states, onTrust: resume.onTrust, log });
  return {
    /** Learns which apps are doubted. */
    readDoubts: () => states.doubted(),
    /** Has an accepted notification, so that the provider is believed again. */
    prove: () => guard.accepted({ sender, app: null }),
    /** Seconds until a notification may be sent; undefined: now. */
    wait: async () => (await health.wait(target))?.seconds,
    pause: () => health.learn(target, { kind: 'overloaded', reason: 'quota', after: 300 }),
    async recover() {
      await states.troubled();
      await health.learn(target, { kind: 'accepted', providerId: undefined });
    },
  };
}

test('a node sees at once that a pause has ended on another node', async () => {
  const config = unused();
  const [one, two] = [anotherNode(config), anotherNode(config)];
  await one.pause();
  expect(await two.wait()).toBeGreaterThan(290);
  await one.recover();
  expect(await two.wait()).toBeUndefined();
});

test('a notification queued while another node ends the pause is sent at once', async () => {
  const other = anotherNode(await startPaused());
  const device = await addDevice('fcm');
  const arrived = arrival(device);
  await queueDuring(device, () => other.recover());
  await arrived;
});

test('a notification queued while another node ends the doubt is sent at once', async () => {
  const config = unused();
  await bouncer.restart(config);
  const device = await addDevice('fcm');
  await doubt(device);
  await queueDuring(device, () => anotherNode(config).prove());
  await expect.poll(() => received(device)).toHaveLength(2);
});

test('a node that has not read of a doubt yet wakes its notifications when it ends the doubt', async () => {
  const config = unused();
  await bouncer.restart(config);
  const device = await addDevice('fcm');
  const other = anotherNode(config);
  await other.readDoubts();
  await doubt(device);
  await other.prove();
  await expect.poll(() => received(device)).toHaveLength(1);
});

test('a device that was doubted while another node ended the doubt gets its next notification at once', async () => {
  const config = unused();
  await bouncer.restart(config);
  await anotherNode(config).prove();
  const device = await addDevice('fcm');
  await doubtDevice(
    kysely,
    await kysely
      .selectFrom('device')
      .selectAll()
      .where('device_id', '=', device.deviceId)
      .executeTakeFirstOrThrow(),
    { now: now(), seconds: 60 },
  );
  expect((await notifyAll('fcm', device)).outcomes).toMatchObject([{ outcome: 'accepted' }]);
});

test('a notification queued in a pause waits for its end', async () => {
  await startPaused();
  const device = await addDevice('fcm');
  await notifyAll('fcm', device);
  const { rows } = await sql<{ seconds: number }>`
    select extract(epoch from due_at - ${new Date(now())})::float8 as seconds from job
    where (payload ->> 'device_id')::bigint = ${device.deviceId}`.execute(kysely);
  // A retry waits up to a fifth longer than the pause.
  expect(rows).toHaveLength(1);
  expect(rows[0]?.seconds).toBeGreaterThan(240);
  expect(rows[0]?.seconds).toBeLessThanOrEqual(360);
  expect(await retriesTo(device)).toMatchObject([{ state: 'queued' }]);
  expect(simulator.devices.received(device.token)).toEqual([]);
});

const waitingInserts = async (): Promise<number> => {
  const { rows } = await sql`
    select 1 from pg_stat_activity where wait_event = 'advisory' and datname = current_database()
    `.execute(kysely);
  return rows.length;
};
