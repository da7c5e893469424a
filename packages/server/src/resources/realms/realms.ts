import type { Resource } from '../../engine/resource.ts';
import { realmState } from './realm-state.ts';
import { updateRealm } from './update-realm.ts';

/** When this process began: changes at each start; clients compare it to detect a restart. */
const GENERATION = Math.floor(performance.timeOrigin / 1000);

export const realms: Resource<'realms'> = {
  handlers: { update: updateRealm },
  state: {
    realm: ({ app, db, realm }) =>
      realmState(db, realm, { config: app.config, generation: GENERATION }),
  },
};
