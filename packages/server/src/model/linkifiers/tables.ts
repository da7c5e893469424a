import type { LinkifierId, RealmId } from '@bellhop/protocol';
import type { Generated } from 'kysely';

export interface LinkifiersTables {
  linkifier: {
    realm_id: RealmId;
    id: Generated<LinkifierId>;
    position: number;
    pattern: string;
    url_template: string;
  };
}
