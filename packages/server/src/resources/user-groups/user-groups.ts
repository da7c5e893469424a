import type { Resource } from '../../engine/resource.ts';
import { groupRecords } from './group-record.ts';

export const userGroups: Resource<'userGroups'> = {
  state: {
    realm_user_groups: async ({ db, realm, user, params }) => ({
      realm_user_groups: await groupRecords(
        db,
        { realm, viewer: user },
        params.client_capabilities,
      ),
    }),
  },
};
