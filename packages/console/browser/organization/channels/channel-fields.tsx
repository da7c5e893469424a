import type { ChannelFolderId, TopicsPolicy } from '@bellhop/protocol';

import { SavedField } from '../frame/saved-field.tsx';
import type { OpenChannelProps } from './open-channel.ts';

const topicPolicies = {
  inherit: 'Organization default',
  allow_empty_topic: 'Topics are optional',
  disable_empty_topic: 'Topics are required',
  empty_topic_only: 'No topics (general chat only)',
} satisfies Record<TopicsPolicy, string>;

const policies = Object.keys(topicPolicies) as TopicsPolicy[];

/** The settings of a channel without its permissions. */
export function ChannelFields({ account, state, rights, channel }: OpenChannelProps) {
  const { stream_id } = channel;
  type Changes = Omit<Parameters<typeof account.client.channels.update>[0], 'stream_id'>;
  const update = (changes: Changes) => account.client.channels.update({ stream_id, ...changes });
  const folders = (state.channel_folders ?? [])
    .filter(({ is_archived, id }) => !is_archived || id === channel.folder_id)
    .map(({ id, name }) => ({ value: id, label: name }));
  const isDefault = state.realm_default_streams?.includes(stream_id) === true;
  return (
    <>
      <SavedField
        label="Name"
        kind={{ kind: 'text', maxLength: 60 }}
        value={channel.name}
        save={(name) => update({ new_name: String(name) })}
      />
      <SavedField
        label="Description"
        kind={{ kind: 'text', maxLength: 1024, isLong: true }}
        value={channel.description}
        save={(description) => update({ description: String(description) })}
      />
      <SavedField
        label="Who can access this channel"
        kind={{
          kind: 'choice',
          options: [
            { value: 'public', label: 'Public' },
            { value: 'private', label: 'Private' },
            ...(channel.is_web_public ? [{ value: 'web', label: 'Web-public' }] : []),
          ],
        }}
        value={privacyOf(channel)}
        save={(to) => update({ is_private: to === 'private', is_web_public: to === 'web' })}
      />
      <SavedField
        label="Folder"
        kind={{ kind: 'choice', options: [{ value: null, label: 'No folder' }, ...folders] }}
        value={channel.folder_id}
        save={(folder) => update({ folder_id: folder as ChannelFolderId | null })}
      />
      {rights.may('can_set_topics_policy_group') && (
        <SavedField
          label="Topics"
          kind={{
            kind: 'choice',
            options: policies.map((value) => ({ value, label: topicPolicies[value] })),
          }}
          value={channel.topics_policy}
          save={(policy) => update({ topics_policy: policy as TopicsPolicy })}
        />
      )}
      {rights.isOwner && (
        <SavedField
          label="Message retention period (days)"
          hint="Leave empty for the organization default. 0 keeps messages forever."
          kind={{ kind: 'number', min: 0 }}
          value={channel.message_retention_days === -1 ? 0 : channel.message_retention_days}
          save={(days) => update({ message_retention_days: retentionOf(Number(days)) })}
        />
      )}
      {rights.isAdmin && (
        <SavedField
          label="Default channel for new users"
          kind={{ kind: 'switch' }}
          value={isDefault}
          save={(is_default_stream) => update({ is_default_stream: is_default_stream === true })}
        />
      )}
    </>
  );
}

const privacyOf = ({ is_web_public, invite_only }: OpenChannelProps['channel']) => {
  if (is_web_public) return 'web';
  return invite_only ? 'private' : 'public';
};

const retentionOf = (days: number) => {
  if (Number.isNaN(days)) return 'realm_default' as const;
  return days === 0 ? ('unlimited' as const) : days;
};
