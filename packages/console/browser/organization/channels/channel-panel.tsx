import { channelGroupSettings } from '@bellhop/protocol';

import { href } from '../../navigation/location.ts';
import { Panel } from '../frame/panel.tsx';
import { PermissionField } from '../groups/permission-field.tsx';
import type { InspectorProps } from '../page.ts';
import { ArchiveChoice } from './archive-choice.tsx';
import { ChannelFields } from './channel-fields.tsx';
import { channelRights, channelsOf } from './channels-of.ts';
import type { OpenChannelProps } from './open-channel.ts';
import { Subscribers } from './subscribers.tsx';

const permissionLabels = {
  can_add_subscribers_group: 'Who can add subscribers',
  can_administer_channel_group: 'Who can administer this channel',
  can_delete_any_message_group: 'Who can delete any message',
  can_delete_own_message_group: 'Who can delete their own messages',
  can_move_messages_out_of_channel_group: 'Who can move messages out of this channel',
  can_move_messages_within_channel_group: 'Who can move messages inside this channel',
  can_remove_subscribers_group: 'Who can unsubscribe others',
  can_resolve_topics_group: 'Who can resolve topics',
  can_send_message_group: 'Who can post here',
  can_subscribe_group: 'Who can subscribe themselves',
};

/**
 * A channel: settings, subscribers and permissions, with the controls for which the reader has
 * permission.
 */
export function ChannelPanel(props: InspectorProps) {
  const { state, item } = props;
  const channel = channelsOf(state).find(({ stream_id }) => String(stream_id) === item);
  return (
    <Panel {...props} title={channel && `#${channel.name}`}>
      {channel && <OpenChannel {...props} channel={channel} />}
    </Panel>
  );
}

function OpenChannel(props: OpenChannelProps) {
  const { account, state, channel } = props;
  const { channels } = account.client;
  const { stream_id } = channel;
  const { administers } = channelRights(props, channel);
  return (
    <>
      <a href={href(['chat', 'channel', String(stream_id)])}>View messages</a>
      {administers ? <ChannelFields {...props} /> : <p>{channel.description}</p>}
      <Subscribers {...props} />
      <section>
        <h3>Permissions</h3>
        {channelGroupSettings.map((name) => (
          <PermissionField
            key={name}
            state={state}
            of="stream"
            name={name}
            label={permissionLabels[name]}
            value={channel[name]}
            save={
              administers ? (change) => channels.update({ stream_id, [name]: change }) : undefined
            }
          />
        ))}
      </section>
      {administers && (
        <ArchiveChoice
          isArchived={channel.is_archived}
          title={`Archive #${channel.name}?`}
          text="No new messages can be sent to it. Existing messages are kept, and you can unarchive it later."
          setArchived={(is_archived) => setArchived(props, is_archived)}
        />
      )}
    </>
  );
}

const setArchived = ({ account, channel: { stream_id } }: OpenChannelProps, archive: boolean) =>
  archive
    ? account.client.channels.archive({ stream_id })
    : account.client.channels.update({ stream_id, is_archived: false });
