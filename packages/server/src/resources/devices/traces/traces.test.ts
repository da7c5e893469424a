import { events as declared, type PushTrace, roles } from '@bellhop/protocol';
import { payloadCipher } from '@bellhop/push-crypto';
import { cipherId, keyFingerprint } from '@bellhop/push-crypto/cipher-id';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { removeOld } from '../../../model/devices/traces/trace-rows.ts';
import type { Person } from '../../../test-chat.fixture.ts';
import { listen } from '../../queues/listen.fixture.ts';
import { pushDevicesOf } from '../push-devices-of.ts';
import { failure, startScriptedBouncer, success } from '../scripted-bouncer.fixture.ts';

type Stack = Awaited<ReturnType<typeof startScriptedBouncer>>;
const NOTIFY = '/push/e2ee/notify';
/** The set clock of the server. */
const NOW = 1_800_000_000;
const PUSH_ID = '11111111-2222-8333-a444-555555555555';

let stack: Stack;
let reader: Person;
let cordelia: Person;
let publicKey: string;
let serial = 0;
beforeAll(async () => {
  stack = await startScriptedBouncer({}, { BELLHOP_PUSH_PADDING: 'true' }, { now: () => NOW });
  ({ cordelia } = stack.chat.people);
});
afterAll(() => stack[Symbol.asyncDispose]());
beforeEach(async () => {
  serial += 1;
  reader = await stack.chat.addPerson(`reader${serial}`);
  publicKey = payloadCipher.createKey().push_key;
  await stack.chat.server.app.db.kysely
    .insertInto('push_device')
    .values({
      realm_id: stack.chat.realm.id,
      user_id: reader.user.id,
      push_account_id: -7n,
      token_kind: 'fcm',
      push_public_key: publicKey,
      bouncer_device_id: 100 + serial,
    })
    .execute();
  stack.script[NOTIFY] = answer({ outcome: 'accepted', provider_id: 'projects/p/messages/1' });
});

/** The answer of the bouncer to a request with one notification. */
const answer = (outcome: object) =>
  success({
    ...plainAnswer,
    outcomes: [{ push_id: PUSH_ID, device_id: 1, provider: 'fcm', ...outcome }],
  });
/** The answer of a bouncer without outcomes of single notifications. */
const plainAnswer = {
  apple_successfully_sent_count: 0,
  android_successfully_sent_count: 1,
  delete_device_ids: [] as number[],
  realm_push_status: { can_push: true, expected_end_timestamp: null },
};

const sayTo = async ({ user }: Person, content = 'lunch?') =>
  (await cordelia.client.messages.send({ type: 'direct', to: [user.id], content })).id;
const tracesOf = async (
  { client }: Person,
  filter: Parameters<typeof client.devices.traces>[0] = {},
) => (await client.devices.traces(filter)).traces;
/** Waits until the reader has as many traces, with as many attempts at the newest. */
const traced = (count = 1, attempts = 1): Promise<PushTrace[]> =>
  vi.waitFor(async () => {
    const traces = await tracesOf(reader);
    expect([traces.length, traces[0]?.attempts.length]).toEqual([count, attempts]);
    return traces;
  }, 15_000);
/** The ciphertext of the last request to the bouncer. */
const lastCiphertext = () => {
  const fields = stack.requestsTo(NOTIFY).at(-1)?.fields ?? { push_requests: [] };
  const [item] = fields['push_requests'] as { payload: { encrypted_data: string } }[];
  return item?.payload.encrypted_data ?? '';
};
/** The bouncer takes nothing, and wants no retry within the time of a test. */
const takeNothing = () => {
  stack.script[NOTIFY] = failure(429, 'RATE_LIMIT_HIT', { 'retry-after': 3600 });
};
/** Lets the retry of a push run now. The trace of its last attempt is written before the attempt ends. */
const retryNow = () =>
  expect
    .poll(async () => {
      const { rows } = await sql`update job set due_at = now()
        where name = 'push_message' and state = 'queued' and failures > 0 returning id`.execute(
        stack.chat.server.app.db.kysely,
      );
      return rows.length;
    })
    .toBe(1);

describe('the trace of a push', () => {
  test('has trigger, times of the clock of the server, sizes and the answer of the bouncer, and no text', async () => {
    const message_id = await sayTo(reader, 'secret');
    const [trace] = await traced();
    expect(trace).toEqual({
      trace_id: expect.any(Number) as number,
      cipher_id: cipherId(lastCiphertext()),
      device_id: null,
      push_key_id: null,
      push_account_id: '-7',
      token_kind: 'fcm',
      type: 'message',
      message_id,
      trigger: 'direct_message',
      waited_for_idle: false,
      event_ms: NOW * 1000,
      job_ms: NOW * 1000,
      encrypted_ms: NOW * 1000,
      plaintext_bytes: expect.any(Number) as number,
      padded_bytes: 512,
      max_plaintext_bytes: 2900,
      key_fingerprint: keyFingerprint(publicKey),
      attempts: [
        {
          sent_ms: NOW * 1000,
          answered_ms: NOW * 1000,
          push_id: PUSH_ID,
          outcome: 'accepted',
          reason: null,
          provider_id: 'projects/p/messages/1',
        },
      ],
      outcome: 'accepted',
      explanation: 'The provider accepted it.',
    });
    expect(trace?.plaintext_bytes).toBeGreaterThan(256);
    expect(trace?.plaintext_bytes).toBeLessThan(512);
    expect(JSON.stringify(trace)).not.toContain('secret');
  });

  test('says with the words of the bouncer why a notification was refused', async () => {
    stack.script[NOTIFY] = answer({ outcome: 'refused', reason: 'PayloadTooLarge' });
    await sayTo(reader);
    const explanation =
      'This notification cannot be sent; the device is fine. Reason: PayloadTooLarge';
    expect(await traced()).toMatchObject([{ outcome: 'refused', explanation }]);
  });

  test('collects the attempts of a push that the bouncer first did not take', async () => {
    takeNothing();
    await sayTo(reader);
    const [first] = await traced();
    expect(first).toMatchObject({ outcome: 'unanswered' });
    expect(first?.explanation).toMatch(/tries again for a day\. Reason: 429 /);
    stack.script[NOTIFY] = answer({ outcome: 'accepted', provider_id: 'x' });
    await retryNow();
    const [second] = await traced(1, 2);
    expect(second).toMatchObject({
      cipher_id: first?.cipher_id,
      job_ms: first?.job_ms,
      outcome: 'accepted',
      attempts: [{ outcome: 'unanswered' }, { outcome: 'accepted' }],
    });
  });

  test('of a test over a quota of the bouncer says that it is not sent again, as its caller is told', async () => {
    takeNothing();
    await expect(reader.client.devices.testNotification()).rejects.toMatchObject({
      code: 'ADMIN_ACTION_REQUIRED',
      message:
        'The push bouncer takes no more notifications of this server for 3600 seconds: error RATE_LIMIT_HIT',
    });
    expect(await traced()).toMatchObject([
      {
        outcome: 'unanswered',
        explanation:
          'The bouncer did not take it. A test is not sent again. Reason: 429 RATE_LIMIT_HIT: error RATE_LIMIT_HIT',
      },
    ]);
  });

  test('has the outcome taken or dead from a bouncer that sends no outcomes', async () => {
    stack.script[NOTIFY] = success(plainAnswer);
    await sayTo(reader);
    expect(await traced()).toMatchObject([{ outcome: 'taken' }]);
    stack.script[NOTIFY] = success({ ...plainAnswer, delete_device_ids: [100 + serial] });
    await expect(reader.client.devices.testNotification()).rejects.toMatchObject({
      code: 'NO_ACTIVE_PUSH_DEVICE',
    });
    expect(await traced(2)).toMatchObject([
      { outcome: 'dead', type: 'test', message_id: null, trigger: null },
      { outcome: 'taken' },
    ]);
  });
});

test.each([
  ['fcm', /^The push service says that the device is gone, because its app was removed/],
  [undefined, /^The push bouncer no longer has the device: its operator may have deleted it: reg/],
])('a phone that is dead by %s learns why', async (provider, error_message) => {
  stack.script[NOTIFY] = success({
    ...plainAnswer,
    delete_device_ids: [100 + serial],
    outcomes: [
      { push_id: PUSH_ID, device_id: 100 + serial, provider, outcome: 'dead', reason: 'x' },
    ],
  });
  await expect(reader.client.devices.testNotification()).rejects.toMatchObject({
    code: 'NO_ACTIVE_PUSH_DEVICE',
  });
  const { kysely } = stack.chat.server.app.db;
  const devices = await pushDevicesOf(kysely, reader.user, { push_device_error_message: true });
  expect(devices).toMatchObject({
    '-7': { status: 'failed', error_message: expect.stringMatching(error_message) },
  });
});

describe('GET /mobile_push/traces', () => {
  test('shows users only their own traces, owners of the organization included', async () => {
    const message_id = await sayTo(reader);
    const [trace] = await traced();
    const { cipher_id } = trace ?? {};
    for (const other of [stack.chat.people.desdemona, cordelia]) {
      expect(await tracesOf(other, { message_id })).toEqual([]);
      expect(await tracesOf(other, { cipher_id, push_account_id: -7n })).toEqual([]);
    }
    expect(await tracesOf(reader, { cipher_id })).toHaveLength(1);
  });

  test("shows administrators the bouncer's traces of their own pushes only", async () => {
    const { desdemona } = stack.chat.people;
    await desdemona.client.users.update({ user_id: reader.user.id, role: roles.admin });
    await sayTo(reader);
    const [trace] = await traced();
    const ids = [trace?.cipher_id ?? '', '0123456789abcdef'];
    const about = { push_id: PUSH_ID, server_uuid: PUSH_ID, realm_uuid: PUSH_ID, device_id: 1 };
    const known = { provider: 'fcm', token_hash: null, priority: 'high', expires_ms: null };
    const ended = { stages: [], outcome: 'accepted', explanation: 'The provider accepted it.' };
    const traces = ids.map((cipher_id) => ({ cipher_id, ...about, ...known, ...ended }));
    stack.script['/v1/traces'] = success({ traces });
    const seenBy = async ({ client }: Person) =>
      (await client.devices.bouncerTraces({ cipher_ids: ids })).traces;
    // A bouncer of the version before knows no token IDs.
    expect(await seenBy(reader)).toEqual([{ ...traces[0], token_id: null }]);
    expect(await seenBy(desdemona)).toEqual([]);
    await expect(seenBy(cordelia)).rejects.toThrow('Must be an organization administrator');
  });

  test('pages from the newest to the oldest, by device, message and ciphertext', async () => {
    const ids = [];
    for (let at = 1; at <= 3; at++) {
      ids.push(await sayTo(reader, `message ${at}`));
      await traced(at);
    }
    const { client } = reader;
    const first = await client.devices.traces({ limit: 2 });
    const rest = await client.devices.traces({ limit: 2, cursor: first.next_cursor ?? 0 });
    const shown = [first, rest].flatMap(({ traces }) => traces.map(({ message_id }) => message_id));
    expect(shown).toEqual(ids.toReversed());
    expect([first.next_cursor === null, rest.next_cursor]).toEqual([false, null]);
    expect(await tracesOf(reader, { message_id: ids[1] })).toMatchObject([{ message_id: ids[1] }]);
    expect(await tracesOf(reader, { push_account_id: -7n })).toHaveLength(3);
    expect(await tracesOf(reader, { push_account_id: 8n })).toEqual([]);
    const [trace] = rest.traces;
    expect(await tracesOf(reader, { cipher_id: trace?.cipher_id })).toEqual([trace]);
  });

  test('forgets traces that are too old, and all but the newest of each user', async () => {
    for (let at = 1; at <= 3; at++) {
      await sayTo(reader, `message ${at}`);
      await traced(at);
    }
    const { app } = stack.chat.server;
    const all = await tracesOf(reader);
    const remove = (limits: { seconds: number; perUser: number }) =>
      app.change(stack.chat.realm, ({ db }) => removeOld(db, stack.chat.realm.id, limits));
    await remove({ seconds: 60, perUser: 2 });
    expect(await tracesOf(reader)).toEqual(all.slice(0, 2));
    await remove({ seconds: 0, perUser: 2 });
    expect(await tracesOf(reader)).toEqual([]);
  });
});

describe('an event push_trace', () => {
  test('reaches only queues of the user with the capability console_events', async () => {
    const withCapability = { client_capabilities: { console_events: true } };
    const console = await listen(reader, withCapability);
    const plain = await listen(reader, {});
    const other = await listen(cordelia, withCapability);
    takeNothing();
    await sayTo(reader);
    const [trace] = await traced();
    const traceEvents = (queue: typeof plain) => queue.events('push_trace');
    expect(await traceEvents(console)).toMatchObject([{ op: 'add', trace }]);
    stack.script[NOTIFY] = answer({ outcome: 'accepted', provider_id: 'x' });
    await retryNow();
    const [updated] = await traced(1, 2);
    expect(await traceEvents(console)).toMatchObject([{ op: 'update', trace: updated }]);
    expect(await traceEvents(plain)).toEqual([]);
    expect(await traceEvents(other)).toEqual([]);
  });

  test('is not stored for a user without such a queue', async () => {
    await listen(reader, {});
    await sayTo(reader);
    await traced();
    const events = await stack.chat.server.app.db.kysely
      .selectFrom('event')
      .select('seq')
      .where('type', '=', 'push_trace')
      .where(sql<boolean>`${reader.user.id} = any(audience)`)
      .execute();
    expect(events).toEqual([]);
  });

  test('is merged with the next event of the same trace, unless another event is between them', () => {
    const merge = declared.push_trace.merge as (
      earlier: object,
      later: object,
    ) => object | undefined;
    const event = (trace_id: number, outcome: string, op = 'update') => ({
      type: 'push_trace',
      op,
      trace: { trace_id, outcome },
    });
    expect(merge(event(1, 'unanswered', 'add'), event(1, 'accepted'))).toEqual(
      event(1, 'accepted', 'add'),
    );
    expect(merge(event(1, 'unanswered'), event(2, 'accepted'))).toBeUndefined();
  });
});
