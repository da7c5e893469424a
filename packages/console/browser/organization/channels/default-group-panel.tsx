import { useSignal } from '@preact/signals';

import { Button } from '../../controls/button.tsx';
import { ConfirmDialog } from '../../controls/confirm-dialog.tsx';
import { Entries, parted } from '../frame/entries.tsx';
import { Panel } from '../frame/panel.tsx';
import { SavedField } from '../frame/saved-field.tsx';
import { goTo } from '../go-to.ts';
import type { InspectorProps } from '../page.ts';
import { channelsOf } from './channels-of.ts';
import { strings } from './strings.ts';

/** A default channel group: administrators change its texts and channels. */
export function DefaultGroupPanel({ account, state, rights, item }: InspectorProps) {
  const isRemoving = useSignal(false);
  const { defaultChannelGroups } = account.client;
  const group = state.realm_default_stream_groups?.find(({ id }) => String(id) === item);
  if (!group)
    return (
      <Panel title={strings.defaultGroups} page="default-groups" item={item}>
        <p class="muted">{strings.noSuchDefaultGroup}</p>
      </Panel>
    );
  const group_id = group.id;
  const defaults = new Set<number>(state.realm_default_streams ?? []);
  // The server takes public channels that nobody gets anyway.
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
    <Panel title={group.name} page="default-groups" item={item}>
      {rights.isAdmin ? (
        <>
          <SavedField
            label={strings.name}
            kind={{ kind: 'text', maxLength: 60 }}
            value={group.name}
            save={(name) => defaultChannelGroups.update({ group_id, new_group_name: String(name) })}
          />
          <SavedField
            label={strings.description}
            kind={{ kind: 'text', maxLength: 1024 }}
            value={group.description}
            save={(text) =>
              defaultChannelGroups.update({ group_id, new_description: String(text) })
            }
          />
        </>
      ) : (
        <p>{group.description}</p>
      )}
      <Entries
        title={strings.channelsIn}
        {...parted(channels, group.streams)}
        addLabel={strings.addChannel}
        add={rights.isAdmin ? change('add') : undefined}
        remove={rights.isAdmin ? change('remove') : undefined}
      />
      {rights.isAdmin && (
        <Button kind="danger" icon="trash" onClick={() => (isRemoving.value = true)}>
          {strings.remove}
        </Button>
      )}
      {isRemoving.value && (
        <ConfirmDialog
          title={strings.removeDefaultGroupTitle(group.name)}
          action={strings.remove}
          icon="trash"
          run={() => defaultChannelGroups.remove({ group_id }).then(() => goTo('default-groups'))}
          onClose={() => (isRemoving.value = false)}
        >
          {strings.removeDefaultGroupText}
        </ConfirmDialog>
      )}
    </Panel>
  );
}
