import type { ChannelId } from '@bellhop/protocol';

import type { Change } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import { automaticPolicy, mayChangeByParticipating, settingsFor } from './automatic-policy.ts';
import { raisePolicies } from './set-policies.ts';
import { topicStates } from './topic-states.ts';

interface Participation {
  readonly realm: Realm;
  readonly user: User;
  /** UNIX time in seconds. */
  readonly now: number;
  /** The message that the user reacted to or voted on. */
  readonly message: { readonly channel_id: ChannelId | null; readonly topic: string };
}

/** Follows or unmutes the topic of a message that a user reacted to or voted on, as their settings say. */
export async function followParticipation(
  change: Pick<Change<'user_topic'>, 'db' | 'emit'>,
  { realm, user, now, message: { channel_id, topic } }: Participation,
): Promise<void> {
  const settings = settingsFor(user);
  if (channel_id === null || !mayChangeByParticipating(user, settings)) return;
  const request = { sender_id: user.id, channel: { id: channel_id }, topic };
  const [before] = await topicStates(change.db, realm.id, [request]);
  const policy = before && automaticPolicy(settings, before, { sent: false });
  if (policy === undefined) return;
  const wasMuted = before?.policy === 1;
  const raised = { user_id: user.id, channel_id, topic, visibility_policy: policy, wasMuted };
  await raisePolicies(change, { realm, now }, [raised]);
}
