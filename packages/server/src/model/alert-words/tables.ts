import type { RealmId, UserId } from '@bellhop/protocol';
import type { GeneratedAlways } from 'kysely';

export interface AlertWordsTables {
  alert_word: {
    realm_id: RealmId;
    user_id: UserId;
    word: string;
    /** The word in lower case. */
    word_key: GeneratedAlways<string>;
  };
}
