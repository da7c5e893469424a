import type { TestChat } from '@bellhop/server/testing';
import { sql } from 'kysely';

/** Keeps the API keys of all people valid, also after a request for a new one. */
export async function freezeApiKeys({ server }: TestChat): Promise<void> {
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
