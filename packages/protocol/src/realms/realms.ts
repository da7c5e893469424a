import { event } from '../event.ts';
import { resource, section } from '../resource.ts';
import { applyRealm } from './apply-realm.ts';
import { RealmEvent } from './realm-events.ts';
import { RealmState } from './realm-state.ts';

export const realms = resource({
  events: [event(RealmEvent, applyRealm)],
  state: { realm: section(RealmState.shape, { access: 'optional' }) },
});
