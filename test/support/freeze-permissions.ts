import type { TestChat } from '@bellhop/server/testing';
import { sql } from 'kysely';

/** Keeps the permissions of the realm, also after requests that change them. */
export async function freezePermissions({ server }: TestChat): Promise<void> {
  const { kysely } = server.app.db;
  await sql`create function keep_permissions() returns trigger language plpgsql as $$
    begin
      new.group_settings := old.group_settings;
      return new;
    end $$`.execute(kysely);
  await sql`create trigger keep_permissions before update of group_settings on realm
    for each row execute function keep_permissions()`.execute(kysely);
}
