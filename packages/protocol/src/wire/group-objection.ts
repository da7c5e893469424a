import { z } from 'zod';

import { ChannelId, UserGroupId } from '../values/ids.ts';

const settings = z.array(z.string());

/** A use of a user group because of which it cannot be deactivated. */
export const GroupObjection = z.discriminatedUnion('type', [
  z.object({ type: z.literal('subgroup'), supergroup_ids: z.array(UserGroupId) }),
  z.object({
    type: z.literal('channel'),
    /** Null for a channel that the caller may not see. */
    channel_id: ChannelId.nullable(),
    settings,
  }),
  z.object({ type: z.literal('user_group'), group_id: UserGroupId, settings }),
  z.object({ type: z.literal('realm'), settings }),
]);
export type GroupObjection = z.output<typeof GroupObjection>;
