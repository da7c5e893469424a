import { visibilityPolicies } from '@bellhop/protocol';
import { describe, expect, test } from 'vitest';

import { flagBits } from '../messages/read/flags.ts';
import {
  decideNotification,
  type Medium,
  type NotificationFacts,
  type NotificationSettings,
} from './decide-notification.ts';

/** A user's settings for every medium. */
interface Wishes {
  readonly mentions: boolean;
  readonly channels: boolean;
  readonly followed: boolean;
  readonly followedWildcards: boolean;
  readonly wildcards: boolean;
}
const usualWishes: Wishes = {
  mentions: true,
  channels: false,
  followed: true,
  followedWildcards: true,
  wildcards: true,
};

/** The settings for a medium; those of the other medium are the opposite. */
const settingsFor = (medium: Medium, wishes: Wishes): NotificationSettings => {
  const { mentions, channels, followed, followedWildcards, wildcards } = wishes;
  const isPush = medium === 'push';
  return {
    enable_offline_push_notifications: mentions === isPush,
    enable_online_push_notifications: true,
    enable_stream_push_notifications: channels === isPush,
    enable_followed_topic_push_notifications: followed === isPush,
    enable_offline_email_notifications: mentions !== isPush,
    enable_stream_email_notifications: channels !== isPush,
    enable_followed_topic_email_notifications: followed !== isPush,
    enable_followed_topic_wildcard_mentions_notify: followedWildcards,
    wildcard_mentions_notify: wildcards,
  };
};

const base: NotificationFacts = {
  flags: 0,
  isSender: false,
  hasMutedSender: false,
  isBot: false,
  isActive: true,
  isOnline: false,
  settings: settingsFor('push', usualWishes),
  topic: undefined,
};

const booleans = [true, false];
const kinds = {
  'direct message': { flags: 0 },
  'plain channel message': { flags: 0 },
  'mention by name': { flags: flagBits.mentioned },
  'mention by group': { flags: flagBits.group_mentioned },
  'topic wildcard': { flags: flagBits.topic_wildcard_mentioned },
  'channel wildcard': { flags: flagBits.stream_wildcard_mentioned },
} as const;
type Kind = keyof typeof kinds;
const policies = Object.keys(visibilityPolicies) as (keyof typeof visibilityPolicies)[];

interface Case {
  readonly kind: Kind;
  readonly policy: (typeof policies)[number];
  readonly isChannelMuted: boolean;
  /** The setting of the channel; null: the general setting. */
  readonly own: boolean | null;
  readonly wishes: Wishes;
}

/** All combinations of a kind of message, the topic's policy, the channel's and the user's settings. */
function* allCases(): Generator<Case> {
  for (const kind of Object.keys(kinds) as Kind[])
    for (const policy of policies)
      for (const isChannelMuted of booleans)
        for (const own of [null, true, false])
          for (let bits = 0; bits < 32; bits++) {
            const isSet = (at: number) => (bits & (1 << at)) !== 0;
            yield {
              kind,
              policy,
              isChannelMuted,
              own,
              wishes: {
                mentions: isSet(0),
                channels: isSet(1),
                followed: isSet(2),
                followedWildcards: isSet(3),
                wildcards: isSet(4),
              },
            };
          }
}

const factsFor =
  (medium: Medium) =>
  ({ kind, policy, isChannelMuted, own, wishes }: Case): NotificationFacts => ({
    ...base,
    flags: kinds[kind].flags,
    settings: settingsFor(medium, wishes),
    topic:
      kind === 'direct message'
        ? undefined
        : {
            is_muted: isChannelMuted,
            push_notifications: medium === 'push' ? own : null,
            email_notifications: medium === 'email' ? own : null,
            wildcard_mentions_notify: own,
            visibility_policy: visibilityPolicies[policy],
          },
  });

/**
 * The rules, one reason per line, in words of the documentation: a user is notified if one holds. Written
 * without order and without the triggers, which the code under test has.
 */
function isExpected({ kind, policy, isChannelMuted, own, wishes }: Case): boolean {
  const isHeard = {
    inherit: !isChannelMuted,
    muted: false,
    unmuted: true,
    followed: !isChannelMuted,
  };
  const isWildcard = kind.endsWith('wildcard');
  const inChannel = kind !== 'direct message';
  return [
    kind === 'direct message' && wishes.mentions,
    kind.startsWith('mention') && wishes.mentions,
    isWildcard && wishes.mentions && policy === 'followed' && wishes.followedWildcards,
    isWildcard && wishes.mentions && isHeard[policy] && (own ?? wishes.wildcards),
    inChannel && policy === 'followed' && wishes.followed,
    inChannel && isHeard[policy] && (own ?? wishes.channels),
  ].includes(true);
}

const nameOf = (one: Case) => JSON.stringify(one);

describe.each(['push', 'email'] as const)('decideNotification of the medium %s', (medium) => {
  const factsOf = factsFor(medium);
  const decide = (facts: NotificationFacts) => decideNotification(medium, facts);

  test('all combinations of message, policy, muting and settings follow the rules', () => {
    const cases = [...allCases()];
    expect(cases).toHaveLength(6 * 4 * 2 * 3 * 32);
    const wrong = cases.filter((one) => (decide(factsOf(one)) !== undefined) !== isExpected(one));
    expect(wrong.map(nameOf)).toEqual([]);
  });

  test.each([
    ['the sender', { isSender: true }],
    ['a user who has muted the sender', { hasMutedSender: true }],
    ['a bot', { isBot: true }],
    ['a deactivated user', { isActive: false }],
  ])('%s is not notified, whatever the settings are', (_, exclusion) => {
    const notified = [...allCases()].filter((one) => decide({ ...factsOf(one), ...exclusion }));
    expect(notified.map(nameOf)).toEqual([]);
  });

  test('a user who has read a message is not notified of it, whatever the settings are', () => {
    const notified = [...allCases()].filter((one) => {
      const facts = factsOf(one);
      return decide({ ...facts, flags: facts.flags | flagBits.read });
    });
    expect(notified.map(nameOf)).toEqual([]);
  });

  test('an online user waits, unless it is a push and enable_online_push_notifications is on', () => {
    for (const one of allCases())
      for (const isOnline of booleans)
        for (const enable_online_push_notifications of booleans) {
          const facts = factsOf(one);
          const decision = decide({
            ...facts,
            isOnline,
            settings: { ...facts.settings, enable_online_push_notifications },
          });
          const waits = isOnline && (medium === 'email' || !enable_online_push_notifications);
          expect(decision?.waitsForIdle).toBe(isExpected(one) ? waits : undefined);
        }
  });

  const channel = {
    is_muted: false,
    push_notifications: true,
    email_notifications: true,
    wildcard_mentions_notify: true,
    visibility_policy: visibilityPolicies.followed,
  };
  const { mentioned, topic_wildcard_mentioned, stream_wildcard_mentioned } = flagBits;
  const anyMention = mentioned | topic_wildcard_mentioned | stream_wildcard_mentioned;
  const inherited = { ...channel, visibility_policy: visibilityPolicies.inherit };
  test.each([
    ['direct_message', 0, undefined],
    ['mentioned', anyMention, channel],
    [
      'topic_wildcard_mentioned_in_followed_topic',
      topic_wildcard_mentioned | stream_wildcard_mentioned,
      channel,
    ],
    ['stream_wildcard_mentioned_in_followed_topic', stream_wildcard_mentioned, channel],
    ['topic_wildcard_mentioned', topic_wildcard_mentioned | stream_wildcard_mentioned, inherited],
    ['stream_wildcard_mentioned', stream_wildcard_mentioned, inherited],
    [`followed_topic_${medium}_notify`, 0, channel],
    [`stream_${medium}_notify`, 0, inherited],
  ])('the trigger %s comes before those that follow in the list', (trigger, flags, topic) => {
    const facts = { ...base, flags, topic, settings: settingsFor(medium, usualWishes) };
    expect(decide(facts)?.trigger).toBe(trigger);
  });
});
