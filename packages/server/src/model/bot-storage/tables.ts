import type { RealmId, UserId } from '@bellhop/protocol';
import type { GeneratedAlways } from 'kysely';

export interface BotStorageTables {
  bot_storage: {
    realm_id: RealmId;
    user_id: UserId;
    key: string;
    value: string;
    /** Characters. */
    size: GeneratedAlways<number>;
  };
}
