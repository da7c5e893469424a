import type { BotType, RealmId, Role, UserId } from '@bellhop/protocol';
import type { Generated, JSONColumnType } from 'kysely';

export interface UsersTables {
  realm_user: {
    id: Generated<UserId>;
    realm_id: RealmId;
    delivery_email: string;
    full_name: string;
    role: Generated<Role>;
    is_active: Generated<boolean>;
    is_bot: Generated<boolean>;
    bot_type: BotType | null;
    bot_owner_id: UserId | null;
    acts_for_owner: Generated<boolean>;
    is_system_bot: Generated<boolean>;
    can_create_users: Generated<boolean>;
    can_change_user_emails: Generated<boolean>;
    password_hash: string | null;
    api_key_mac: Buffer;
    api_key_sealed: Buffer;
    timezone: Generated<string>;
    avatar_source: Generated<'G' | 'U'>;
    avatar_version: Generated<number>;
    settings: JSONColumnType<Record<string, unknown>, string | undefined, string>;
    date_joined: Generated<Date>;
  };
  avatar: {
    realm_id: RealmId;
    user_id: UserId;
    version: number;
    small: Buffer;
    medium: Buffer;
  };
}
