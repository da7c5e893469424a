import type { RealmId, UserId } from '@bellhop/protocol';
import type { Generated } from 'kysely';

export interface RealmEmojiTables {
  realm_emoji: {
    realm_id: RealmId;
    id: Generated<number>;
    name: string;
    author_id: UserId;
    is_active: Generated<boolean>;
    media_type: 'image/png' | 'image/gif' | 'image/webp';
    bytes: Buffer;
    still_bytes: Buffer | null;
  };
}
