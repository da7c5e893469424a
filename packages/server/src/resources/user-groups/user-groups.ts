import type { Resource } from '../../engine/resource.ts';
import { groupRecords } from './group-record.ts';

export const userGroups: Resource<'userGroups'> = {
  state: {
    realm_user_groups: async ({ db, realm, params }) => ({
      realm_user_groups: await groupRecords(db, realm, params.client_capabilities),
    }),
  },
};
