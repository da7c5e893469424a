import type { MessageId, RealmId, UserId } from '@bellhop/protocol';
import type { Generated } from 'kysely';

export interface UploadsTables {
  upload: {
    id: Generated<number>;
    realm_id: RealmId;
    owner_id: UserId;
    token: string;
    file_name: string;
    name: string;
    type: string;
    size: Generated<number>;
    is_complete: Generated<boolean>;
    /** UNIX seconds. */
    created_at: number;
    /** UNIX seconds; null while a message links it. */
    unclaimed_since: number | null;
  };
  upload_chunk: { realm_id: RealmId; upload_id: number; number: number; bytes: Buffer };
  upload_message: { realm_id: RealmId; upload_id: number; message_id: MessageId };
}
