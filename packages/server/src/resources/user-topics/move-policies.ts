import { visibilityPolicies, type VisibilityPolicy } from '@bellhop/protocol';

import type { Change } from '../../engine/call.ts';
import type { Topic } from '../../model/conversation.ts';
import * as queries from '../../model/user-topics/queries.ts';
import { type PolicyContext, setPolicies } from './set-policies.ts';

const { inherit, muted, unmuted, followed } = visibilityPolicies;
const byVisibility: readonly VisibilityPolicy[] = [muted, inherit, unmuted, followed];

interface MovedTopic {
  readonly from: Topic;
  readonly to: Topic;
  /** Whether the new topic had messages before. The more visible of two policies then stays. */
  readonly merges: boolean;
}

/**
 * Moves the policies that users have for a topic, all of whose messages moved. Users who cannot read
 * the new channel lose theirs.
 */
export async function movePolicies(
  change: Pick<Change<'user_topic'>, 'db' | 'emit'>,
  context: PolicyContext,
  { from, to, merges }: MovedTopic,
): Promise<void> {
  const rows = await queries.movedPolicies(change.db, context.realm.id, { from, to });
  const changes = rows.flatMap(({ user_id, before, there, can_read }) => {
    const after = merges ? moreVisible(before, there) : before;
    return [
      ...(before === inherit
        ? []
        : [{ user_id, ...from, visibility_policy: inherit, wasMuted: before === muted }]),
      ...(after === there || !can_read
        ? []
        : [{ user_id, ...to, visibility_policy: after, wasMuted: there === muted }]),
    ];
  });
  await setPolicies(change, context, changes);
}

const moreVisible = (one: VisibilityPolicy, other: VisibilityPolicy): VisibilityPolicy =>
  byVisibility.indexOf(one) > byVisibility.indexOf(other) ? one : other;
