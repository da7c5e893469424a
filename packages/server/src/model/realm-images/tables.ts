import type { RealmId } from '@bellhop/protocol';

export type RealmImageKind = 'icon' | 'logo' | 'night_logo';

export interface RealmImagesTables {
  realm_image: {
    realm_id: RealmId;
    kind: RealmImageKind;
    version: number;
    bytes: Buffer | null;
  };
}
