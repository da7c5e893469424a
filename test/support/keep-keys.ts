import type { TestChat } from '@bellhop/server/testing';
import { sql } from 'kysely';

/** Lets people ask for new API keys without getting any: the keys a test holds stay good. */
export async function keepKeys({ server }: TestChat): Promise<void> {
  const { kysely } = server.app.db;
  await sql`create function keep_key() returns trigger language plpgsql as $$
    begin
      new.api_key_mac := old.api_key_mac;
      new.api_key_sealed := old.api_key_sealed;
      return new;
    end $$`.execute(kysely);
  await sql`create trigger keep_key before update of api_key_mac on realm_user
    for each row when (not new.is_bot) execute function keep_key()`.execute(kysely);
}
