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
    /** Null for files that are no image, or a damaged one. */
    image_state: Generated<'pending' | 'ready' | null>;
    /** Null until the thumbnails are ready, as are the size in pixels and the frames. */
    image_type: Generated<string | null>;
    image_width: Generated<number | null>;
    image_height: Generated<number | null>;
    image_frames: Generated<number | null>;
  };
  thumbnail: { realm_id: RealmId; upload_id: number; format: string; bytes: Buffer };
  upload_chunk: { realm_id: RealmId; upload_id: number; number: number; bytes: Buffer };
  upload_message: { realm_id: RealmId; upload_id: number; message_id: MessageId };
}
