import { channelGroupSettings } from '@bellhop/protocol';
import { useSignal } from '@preact/signals';

import { Button } from '../../controls/button.tsx';
import { ConfirmDialog } from '../../controls/confirm-dialog.tsx';
import { ErrorNotice } from '../../controls/error-notice.tsx';
import { useAction } from '../../controls/use-action.ts';
import { href } from '../../navigation/location.ts';
import { Panel } from '../frame/panel.tsx';
import { PermissionField } from '../groups/permission-field.tsx';
import type { InspectorProps } from '../page.ts';
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
    <Panel title={channel ? `#${channel.name}` : strings.channels} page="channels" item={item}>
      {channel ? (
        <OpenChannel {...props} channel={channel} />
      ) : (
        <p class="muted">{strings.noSuchChannel}</p>
      )}
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
      {administers && (channel.is_archived ? <Unarchive {...props} /> : <Archive {...props} />)}
    </>
  );
}

function Archive({ account, channel }: OpenChannelProps) {
  const isAsking = useSignal(false);
  return (
    <>
      <Button kind="danger" icon="archive" onClick={() => (isAsking.value = true)}>
        {strings.archive}
      </Button>
      {isAsking.value && (
        <ConfirmDialog
          title={strings.archiveTitle(channel.name)}
          action={strings.archive}
          run={() => account.client.channels.archive({ stream_id: channel.stream_id })}
          onClose={() => (isAsking.value = false)}
        >
          {strings.archiveText}
        </ConfirmDialog>
      )}
    </>
  );
}

function Unarchive({ account, channel }: OpenChannelProps) {
  const { error, isBusy, run } = useAction();
  const { stream_id } = channel;
  const call = () => account.client.channels.update({ stream_id, is_archived: false });
  return (
    <>
      <ErrorNotice error={error.value} />
      <Button kind="primary" isBusy={isBusy.value} onClick={() => run(call())}>
        {strings.unarchive}
      </Button>
    </>
  );
}
