import { visibilityPolicies } from '@bellhop/protocol';

import type { User } from '../../engine/caller.ts';
import { settingOf } from '../users/user-settings.ts';
import type { TopicState } from './topic-states.ts';

/** The values of the two settings: which act follows or unmutes a topic. Each includes the next one. */
const by = { participating: 1, sending: 2, starting: 3, nothing: 4 } as const;
const { muted, followed, unmuted } = visibilityPolicies;

interface Settings {
  readonly follow: number;
  readonly unmute: number;
}

export const settingsFor = (user: User): Settings => ({
  follow: settingOf('automatically_follow_topics_policy', { user }),
  unmute: settingOf('automatically_unmute_topics_in_muted_streams_policy', { user }),
});

/** Whether sending a message may change the policy of its topic. */
export const mayChangeBySending = ({ is_bot }: User, { follow, unmute }: Settings): boolean =>
  !is_bot && (follow !== by.nothing || unmute !== by.nothing);

/** Whether a reaction or a vote may change the policy of a topic. */
export const mayChangeByParticipating = ({ is_bot }: User, { follow, unmute }: Settings): boolean =>
  !is_bot && (follow === by.participating || unmute === by.participating);

/**
 * The policy that a topic gets because its user sent a message there or, with `sent` false, took part
 * otherwise; undefined if it stays. A topic only becomes more visible: a topic that the user muted is
 * not followed for being started.
 */
export function automaticPolicy(
  { follow, unmute }: Settings,
  { policy, isChannelMuted, isStarted }: TopicState,
  { sent }: { readonly sent: boolean },
): 2 | 3 | undefined {
  if (policy === followed) return undefined;
  const starts = sent && !isStarted && policy !== muted && policy !== unmuted;
  const causes = (setting: number) =>
    setting === by.participating ||
    (setting === by.sending && sent) ||
    (setting === by.starting && starts);
  if (causes(follow)) return followed;
  return isChannelMuted && policy !== unmuted && causes(unmute) ? unmuted : undefined;
}
