import { visibilityPolicies } from '@bellhop/protocol';
import { type RawBuilder, sql } from 'kysely';

import type { User } from '../../../engine/caller.ts';
import { mutedChannels } from '../../channels/readable-channels.ts';
import { policyOfMessage } from '../../user-topics/queries.ts';

/**
 * Whether a row `m` of `message` is in a topic that the user muted, or in a channel that the user
 * muted and a topic that they have neither unmuted nor follow.
 */
export const isMuted = (user: User): RawBuilder<unknown> =>
  sql`(m.channel_id is not null and coalesce(
    ${policyOfMessage(user)} = ${sql.lit(visibilityPolicies.muted)},
    m.channel_id in (${mutedChannels(user)})))`;
