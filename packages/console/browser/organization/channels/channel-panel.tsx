import { channelGroupSettings } from '@bellhop/protocol';

import { href } from '../../navigation/location.ts';
import { Panel } from '../frame/panel.tsx';
import { PermissionField } from '../groups/permission-field.tsx';
import type { InspectorProps } from '../page.ts';
import { ArchiveChoice } from './archive-choice.tsx';
import { ChannelFields } from './channel-fields.tsx';
import { channelRights, channelsOf } from './channels-of.ts';
import type { OpenChannelProps } from './open-channel.ts';
import { strings } from './strings.ts';
import { Subscribers } from './subscribers.tsx';

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
      <a href={href(['chat', 'channel', String(stream_id)])}>{strings.open}</a>
      {administers ? <ChannelFields {...props} /> : <p>{channel.description}</p>}
      <Subscribers {...props} />
      <section>
        <h3>{strings.permissions}</h3>
        {channelGroupSettings.map((name) => (
          <PermissionField
            key={name}
            state={state}
            of="stream"
            name={name}
            label={strings.settings[name]}
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
          title={strings.archiveTitle(channel.name)}
          text={strings.archiveText}
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
