import { expect, test } from 'vitest';

import { pushRequests, tokenRequests } from '../test-bouncer.fixture.ts';
import { startPushTest } from './push-test.fixture.ts';

const { bouncer, server, notify, addDevice, received, requestsTo, prove, stored } =
  await startPushTest();
const { simulator } = bouncer;

const kinds = ['apns', 'fcm'] as const;
type Kind = (typeof kinds)[number];

/** A phone in both versions of the protocol. */
async function addInBoth(kind: Kind) {
  const byToken = await bouncer.addByToken(server, kind);
  const byAccount = await addDevice(kind, { token: byToken.token });
  return { byToken, byAccount };
}
const uninstall = (token: string) => {
  bouncer.clock.offsetMs += 1_000;
  simulator.uninstall(token);
};

test.each(kinds)(
  'a dead %s phone that is named by its token ID is reported, and a registration revives it',
  async (kind) => {
    await prove();
    const phone = await bouncer.addByToken(server, kind);
    uninstall(phone.token);
    const dead = await notify(tokenRequests[kind](phone));
    expect(dead).toMatchObject({ delete_token_ids: [phone.tokenId], delete_device_ids: [] });
    const asked = requestsTo(phone).length;
    const again = await notify(tokenRequests[kind](phone));
    expect(again).toMatchObject({ delete_token_ids: [phone.tokenId] });
    expect(requestsTo(phone)).toHaveLength(asked);
    simulator.addDevice({ kind, token: phone.token });
    expect((await phone.register()).device_id).toBe(phone.deviceId);
    expect(await notify(tokenRequests[kind](phone))).toMatchObject({ delete_token_ids: [] });
    expect(received(phone)).toHaveLength(1);
  },
);

test.each([
  ['token_id', 'device_id'],
  ['device_id', 'token_id'],
])('a phone that is dead by %s is dead by %s, too, without another request', async (first) => {
  await prove();
  const { byToken, byAccount } = await addInBoth('fcm');
  uninstall(byToken.token);
  const items = [tokenRequests.fcm(byToken), pushRequests.fcm(byAccount)];
  const [one, other] = first === 'token_id' ? items : items.toReversed();
  if (!one || !other) throw new Error('There are two');
  expect(await notify(one)).toMatchObject({ outcomes: [{ outcome: 'dead' }] });
  const asked = requestsTo(byToken).length;
  expect(await notify(other)).toMatchObject({ outcomes: [{ outcome: 'dead' }] });
  expect(requestsTo(byToken)).toHaveLength(asked);
});

test.each(kinds)('a dead %s phone with both names in one request counts once', async (kind) => {
  const deletions = async () =>
    (await bouncer.kysely.selectFrom('provider_state').selectAll().execute())
      .filter(({ token_kind }) => token_kind === kind)
      .reduce((sum, one) => sum + one.deletions, 0);
  await prove();
  const before = await deletions();
  const { byToken, byAccount } = await addInBoth(kind);
  uninstall(byToken.token);
  expect(await notify(tokenRequests[kind](byToken), pushRequests[kind](byAccount))).toMatchObject({
    delete_token_ids: [byToken.tokenId],
    delete_device_ids: [byAccount.deviceId],
  });
  expect(await deletions()).toBe(before + 1);
});

test.each([
  [
    'was registered after the notification was sent',
    () => ({ registered_at: bouncer.now() + 60_000 }),
  ],
  ['names another app', () => ({ ios_app_id: 'org.example.other' })],
])('another registration of the token that %s stays', async (_, change) => {
  await prove();
  const { byToken, byAccount } = await addInBoth('apns');
  await bouncer.kysely
    .updateTable('device')
    .set(change())
    .where('device_id', '=', byAccount.deviceId)
    .execute();
  uninstall(byToken.token);
  expect(await notify(tokenRequests.apns(byToken))).toMatchObject({
    delete_token_ids: [byToken.tokenId],
  });
  expect((await stored(byAccount.deviceId)).expired_at).toBeNull();
});
