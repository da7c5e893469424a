import { ConfirmButton } from '../../controls/dialog-button.tsx';
import { Entries, parted } from '../frame/entries.tsx';
import { NameAndDescription } from '../frame/name-and-description.tsx';
import { Panel } from '../frame/panel.tsx';
import { goTo } from '../go-to.ts';
import type { InspectorProps } from '../page.ts';
import { channelsOf } from './channels-of.ts';

/** A default channel group: administrators change its texts and channels. */
export function DefaultGroupPanel(props: InspectorProps) {
  const { account, state, rights, item } = props;
  const { defaultChannelGroups } = account.client;
  const group = state.realm_default_stream_groups?.find(({ id }) => String(id) === item);
  if (!group) return <Panel {...props} />;
  const group_id = group.id;
  const defaults = new Set<number>(state.realm_default_streams ?? []);
  // The server takes only public channels that are no default channels.
  const channels = channelsOf(state)
    .filter(
      ({ stream_id, invite_only, is_archived }) =>
        group.streams.includes(stream_id) ||
        !(invite_only || is_archived || defaults.has(stream_id)),
    )
    .map(({ stream_id, name }) => ({ id: stream_id as number, label: `#${name}` }));
  const change = (op: 'add' | 'remove') => (id: number) => {
    const name = channelsOf(state).find(({ stream_id }) => stream_id === id)?.name ?? '';
    return defaultChannelGroups.updateChannels({ group_id, op, stream_names: [name] });
  };
  return (
    <Panel {...props} title={group.name}>
      <NameAndDescription
        of={group}
        maxLength={{ name: 60, description: 1024 }}
        mayChange={rights.isAdmin}
        rename={(name) => defaultChannelGroups.update({ group_id, new_group_name: name })}
        describe={(text) => defaultChannelGroups.update({ group_id, new_description: text })}
      />
      <Entries
        title="Channels"
        {...parted(channels, group.streams)}
        addLabel="Add channel"
        add={rights.isAdmin ? change('add') : undefined}
        remove={rights.isAdmin ? change('remove') : undefined}
      />
      {rights.isAdmin && (
        <ConfirmButton
          kind="danger"
          icon="trash"
          label="Remove"
          title={`Remove ${group.name}?`}
          run={() => defaultChannelGroups.remove({ group_id }).then(() => goTo('default-groups'))}
        >
          It will no longer be offered to new users. The channels are kept.
        </ConfirmButton>
      )}
    </Panel>
  );
}
