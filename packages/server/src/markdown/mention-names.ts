import {
  channelLink,
  channelTarget,
  groupMention,
  nameAndId,
  userMention,
  wildcardOf,
} from '@bellhop/protocol';

/** The names to look up before a message is rendered, as written. */
export interface MentionNames {
  user_names: ReadonlySet<string>;
  user_ids: ReadonlySet<number>;
  group_names: ReadonlySet<string>;
  channel_names: ReadonlySet<string>;
}

const nobody: MentionNames = {
  user_names: new Set(),
  user_ids: new Set(),
  group_names: new Set(),
  channel_names: new Set(),
};

const everywhere = (pattern: RegExp) => new RegExp(pattern.source, 'g');
const anyUser = everywhere(userMention);
const anyGroup = everywhere(groupMention);
const anyChannel = everywhere(channelLink);

/**
 * The names that a message may mention or link. Includes names in code, which the renderer ignores.
 * Look names up in any letter case.
 */
export function mentionNames(content: string): MentionNames {
  if (!/[@#]_?\*/.test(content)) return nobody;
  const userNames = new Set<string>();
  const userIds = new Set<number>();
  for (const [, , text = ''] of content.matchAll(anyUser)) {
    const { name, id } = nameAndId(text);
    if (id !== undefined) userIds.add(id);
    else if (!wildcardOf(name)) userNames.add(name);
  }
  const groupNames = [...content.matchAll(anyGroup)].map(([, , name = '']) => name);
  const channelNames = [...content.matchAll(anyChannel)].map(
    ([, text = '']) => channelTarget(text).channel,
  );
  return {
    user_names: userNames,
    user_ids: userIds,
    group_names: new Set(groupNames),
    channel_names: new Set(channelNames),
  };
}
