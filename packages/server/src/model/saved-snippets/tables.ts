import type { RealmId, SavedSnippetId, UserId } from '@bellhop/protocol';
import type { Generated } from 'kysely';

export interface SavedSnippetsTables {
  saved_snippet: {
    realm_id: RealmId;
    id: Generated<SavedSnippetId>;
    user_id: UserId;
    title: string;
    content: string;
    date_created: number;
  };
}
