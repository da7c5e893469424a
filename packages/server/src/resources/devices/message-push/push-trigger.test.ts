import { visibilityPolicies } from '@bellhop/protocol';
import { describe, expect, test } from 'vitest';

import { flagBits } from '../../messages/read/flags.ts';
import { decidePush, type PushFacts, type PushSettings } from './push-trigger.ts';

const settings: PushSettings = {
  enable_offline_push_notifications: true,
  enable_online_push_notifications: true,
  enable_stream_push_notifications: false,
  enable_followed_topic_push_notifications: true,
  enable_followed_topic_wildcard_mentions_notify: true,
  wildcard_mentions_notify: true,
};
const base: PushFacts = {
  flags: 0,
  isSender: false,
  hasMutedSender: false,
  isBot: false,
  isActive: true,
  isOnline: false,
  settings,
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
  readonly settings: PushSettings;
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
              settings: {
                enable_offline_push_notifications: isSet(0),
                enable_online_push_notifications: true,
                enable_stream_push_notifications: isSet(1),
                enable_followed_topic_push_notifications: isSet(2),
                enable_followed_topic_wildcard_mentions_notify: isSet(3),
                wildcard_mentions_notify: isSet(4),
              },
            };
          }
}

const factsOf = ({ kind, policy, isChannelMuted, own, settings: chosen }: Case): PushFacts => ({
  ...base,
  flags: kinds[kind].flags,
  settings: chosen,
  topic:
    kind === 'direct message'
      ? undefined
      : {
          is_muted: isChannelMuted,
          push_notifications: own,
          wildcard_mentions_notify: own,
          visibility_policy: visibilityPolicies[policy],
        },
});

/**
 * The rules, one reason per line, in words of the documentation: a message is pushed if one holds. Written
 * without order and without the triggers, which the code under test has.
 */
function isExpected({ kind, policy, isChannelMuted, own, settings: s }: Case): boolean {
  const isHeard = {
    inherit: !isChannelMuted,
    muted: false,
    unmuted: true,
    followed: !isChannelMuted,
  };
  const isWildcard = kind.endsWith('wildcard');
  const inChannel = kind !== 'direct message';
  return [
    kind === 'direct message' && s.enable_offline_push_notifications,
    kind.startsWith('mention') && s.enable_offline_push_notifications,
    isWildcard &&
      s.enable_offline_push_notifications &&
      policy === 'followed' &&
      s.enable_followed_topic_wildcard_mentions_notify,
    isWildcard &&
      s.enable_offline_push_notifications &&
      isHeard[policy] &&
      (own ?? s.wildcard_mentions_notify),
    inChannel && policy === 'followed' && s.enable_followed_topic_push_notifications,
    inChannel && isHeard[policy] && (own ?? s.enable_stream_push_notifications),
  ].includes(true);
}

const nameOf = (one: Case) => JSON.stringify(one);

describe('decidePush', () => {
  test('all combinations of message, policy, muting and settings follow the rules', () => {
    const cases = [...allCases()];
    expect(cases).toHaveLength(6 * 4 * 2 * 3 * 32);
    const wrong = cases.filter(
      (one) => (decidePush(factsOf(one)) !== undefined) !== isExpected(one),
    );
    expect(wrong.map(nameOf)).toEqual([]);
  });

  test.each([
    ['the sender', { isSender: true }],
    ['a user who has muted the sender', { hasMutedSender: true }],
    ['a bot', { isBot: true }],
    ['a deactivated user', { isActive: false }],
  ])('nothing is pushed to %s, whatever the settings are', (_, exclusion) => {
    const pushed = [...allCases()].filter((one) => decidePush({ ...factsOf(one), ...exclusion }));
    expect(pushed.map(nameOf)).toEqual([]);
  });

  test('a message that the user has read is not pushed, whatever the settings are', () => {
    const pushed = [...allCases()].filter((one) => {
      const facts = factsOf(one);
      return decidePush({ ...facts, flags: facts.flags | flagBits.read });
    });
    expect(pushed.map(nameOf)).toEqual([]);
  });

  test('a push waits only for an online user without enable_online_push_notifications', () => {
    for (const one of allCases())
      for (const isOnline of booleans)
        for (const enable_online_push_notifications of booleans) {
          const facts = factsOf(one);
          const decision = decidePush({
            ...facts,
            isOnline,
            settings: { ...facts.settings, enable_online_push_notifications },
          });
          if (isExpected(one))
            expect(decision?.waitsForIdle).toBe(isOnline && !enable_online_push_notifications);
          else expect(decision).toBeUndefined();
        }
  });

  const channel = {
    is_muted: false,
    push_notifications: true,
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
    ['followed_topic_push_notify', 0, channel],
    ['stream_push_notify', 0, inherited],
  ])('the trigger %s comes before those that follow in the list', (trigger, flags, topic) => {
    expect(decidePush({ ...base, flags, topic })?.trigger).toBe(trigger);
  });
});
