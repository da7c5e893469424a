import type { RealmId } from '@bellhop/protocol';
import type { Generated, JSONColumnType } from 'kysely';

type Json = JSONColumnType<Record<string, unknown>, string | undefined, string>;

export interface RealmsTables {
  realm: {
    id: Generated<RealmId>;
    subdomain: string;
    name: string;
    description: Generated<string>;
    uuid: Generated<string>;
    uuid_owner_secret: string;
    is_active: Generated<boolean>;
    waiting_period_days: Generated<number>;
    full_members_at: Generated<Date>;
    settings: Json;
    group_settings: Json;
    user_defaults: Json;
    push_enabled: Generated<boolean>;
    push_end_timestamp: number | null;
    date_created: Generated<Date>;
  };
  event_counter: {
    realm_id: RealmId;
    last_seq: Generated<number>;
  };
}
