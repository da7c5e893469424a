import { secretboxCipher, sealing } from '@bellhop/push-crypto';

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

/** Adds an active device of level 468 and returns its device_id. Its token has the bouncer's id `token`. */
export async function addClientDevice(
  { server, realm }: TestChat,
  { user }: { readonly user: Pick<Person['user'], 'id'> },
  token = 1,
): Promise<number> {
  const { app } = server;
  const push_token_id = Buffer.alloc(8);
  push_token_id.writeBigUInt64BE(BigInt(token));
  const { id } = await app.db.kysely
    .insertInto('client_device')
    .values({
      realm_id: realm.id,
      user_id: user.id,
      push_key_id: 7,
      push_key: app.secrets.seal(secretboxCipher.createKey().push_key),
      push_token_id,
      token_kind: 'fcm',
      bouncer_device_id: token,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
