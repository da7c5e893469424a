import type { RealmId } from '@bellhop/protocol';
import type { Generated } from 'kysely';

export interface RealmDomainsTables {
  realm_domain: {
    realm_id: RealmId;
    id: Generated<number>;
    domain: string;
    allow_subdomains: boolean;
  };
}
