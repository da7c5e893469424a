import { roles } from '@bellhop/protocol';
import type { TestChat } from '@bellhop/server/testing';
import { sql } from 'kysely';

/**
 * Keeps the API keys of all people, and role, address and activity of the users so far and of their
 * bots, also after requests that change them. Adds a second owner: the only one may not be
 * deactivated.
 */
export async function freezeAccounts({ server, realm, addPerson }: TestChat): Promise<void> {
  const { kysely } = server.app.db;
  await addPerson('gertrude', roles.owner);
  await sql`create function keep_key() returns trigger language plpgsql as $$
    begin
      new.api_key_mac := old.api_key_mac;
      new.api_key_sealed := old.api_key_sealed;
      return new;
    end $$`.execute(kysely);
  await sql`create trigger keep_key before update of api_key_mac on realm_user
    for each row when (not new.is_bot) execute function keep_key()`.execute(kysely);
  const { last } = await kysely
    .selectFrom('realm_user')
    .select((row) => row.fn.max('id').as('last'))
    .where('realm_id', '=', realm.id)
    .executeTakeFirstOrThrow();
  await sql`create function keep_account() returns trigger language plpgsql as $$
    begin
      new.role := old.role;
      new.is_active := old.is_active;
      new.delivery_email := old.delivery_email;
      return new;
    end $$`.execute(kysely);
  await sql`create trigger keep_account before update of role, is_active, delivery_email on realm_user
    for each row when (coalesce(old.bot_owner_id, old.id) <= ${sql.lit(Number(last))}) execute function keep_account()`.execute(
    kysely,
  );
}
