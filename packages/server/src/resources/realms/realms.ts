import type { Resource } from '../../engine/resource.ts';
import { realmState } from './realm-state.ts';
import { updateRealm } from './update-realm.ts';

/** Changes at each server start; clients compare it to detect a restart. */
const GENERATION = Math.floor(Date.now() / 1000);

export const realms: Resource<'realms'> = {
  handlers: { update: updateRealm },
  state: {
    realm: ({ app, db, realm }) =>
      realmState(db, realm, { config: app.config, generation: GENERATION }),
  },
};
