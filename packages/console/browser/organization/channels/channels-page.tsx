import { useSignal } from '@preact/signals';

import { Button } from '../../controls/button.tsx';
import { Icon } from '../../controls/icon.tsx';
import { Pill } from '../../controls/pill.tsx';
import { FilterField, matchesFilter } from '../frame/filter-field.tsx';
import { PageFrame } from '../frame/page-frame.tsx';
import { ShowChoice, shows } from '../frame/show-choice.tsx';
import { Table } from '../frame/table.tsx';
import type { PageProps } from '../page.ts';
import { channelsOf } from './channels-of.ts';
import { NewChannelDialog } from './new-channel-dialog.tsx';
import { strings } from './strings.ts';

/** The channels that the reader sees. */
export function ChannelsPage({ account, state, rights, item }: PageProps) {
  const isCreating = useSignal(false);
  const showsArchived = shows('archived');
  const channels = channelsOf(state).filter(
    ({ name, description, is_archived }) =>
      is_archived === showsArchived && matchesFilter(name, description),
  );
  const mayCreate =
    rights.may('can_create_public_channel_group') || rights.may('can_create_private_channel_group');
  const newButton = mayCreate && !rights.isGuest && (
    <Button kind="primary" icon="plus" onClick={() => (isCreating.value = true)}>
      {strings.newChannel}
    </Button>
  );
  const isDefault = new Set<number>(state.realm_default_streams ?? []);
  return (
    <PageFrame
      title={strings.channels}
      text={strings.channelsText}
      actions={newButton}
      empty={
        channels.length === 0 && {
          icon: 'hash',
          title: strings.noChannels,
          text: strings.noChannelsText,
        }
      }
    >
      <div class="row org-tools">
        <FilterField label={strings.filter} />
        <ShowChoice label={strings.which} other="archived" />
      </div>
      {channels.length > 0 && (
        <Table
          label={strings.channels}
          page="channels"
          open={item}
          rows={channels}
          idOf={({ stream_id }) => stream_id}
          columns={[
            {
              title: strings.name,
              cell: ({ stream_id, name, invite_only }) => (
                <span class="row">
                  <Icon name={invite_only ? 'lock' : 'hash'} />
                  <span class="clip">{name}</span>
                  {isDefault.has(stream_id) && <Pill tone="info">{strings.default}</Pill>}
                </span>
              ),
            },
            { title: strings.description, isWide: true, cell: ({ description }) => description },
            {
              title: strings.folder,
              isWide: true,
              cell: ({ folder_id }) =>
                state.channel_folders?.find(({ id }) => id === folder_id)?.name,
            },
            { title: strings.subscribers, cell: ({ subscriber_count }) => subscriber_count },
          ]}
        />
      )}
      {isCreating.value && (
        <NewChannelDialog
          account={account}
          state={state}
          rights={rights}
          onClose={() => (isCreating.value = false)}
        />
      )}
    </PageFrame>
  );
}
