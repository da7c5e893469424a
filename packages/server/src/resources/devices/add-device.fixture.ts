import { sealing } from '@bellhop/push-crypto';

import type { Person, TestChat } from '../../test-chat.fixture.ts';

/** Adds an active device of a user, or makes theirs active again. */
export async function addDevice(
  { server, realm }: TestChat,
  { user }: { readonly user: Pick<Person['user'], 'id'> },
): Promise<void> {
  await server.app.db.kysely
    .insertInto('push_device')
    .values({
      realm_id: realm.id,
      user_id: user.id,
      push_account_id: 7n,
      token_kind: 'fcm',
      push_public_key: sealing.generateKeyPair().publicKey,
      bouncer_device_id: user.id,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['realm_id', 'user_id', 'push_account_id'])
        .doUpdateSet({ bouncer_device_id: user.id, error_code: null }),
    )
    .execute();
}
