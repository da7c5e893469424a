import type { PlaygroundId, RealmId } from '@bellhop/protocol';
import type { Generated } from 'kysely';

export interface PlaygroundsTables {
  playground: {
    realm_id: RealmId;
    id: Generated<PlaygroundId>;
    name: string;
    highlighter_language: string;
    url_template: string;
  };
}
