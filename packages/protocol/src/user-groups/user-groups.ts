import { z } from 'zod';

import { event } from '../event.ts';
import { resource, section } from '../resource.ts';
import { applyUserGroup } from './apply-user-group.ts';
import { UserGroupEvent } from './user-group-events.ts';
import { UserGroup } from './user-group.ts';

export const userGroups = resource({
  events: [event(UserGroupEvent, applyUserGroup)],
  state: { realm_user_groups: section({ realm_user_groups: z.array(UserGroup) }) },
});
