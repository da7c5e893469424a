import { Icon } from '../../controls/icon.tsx';
import { Pill } from '../../controls/pill.tsx';
import { FilterField } from '../../list/filter-field.tsx';
import { matchesFilter } from '../../list/shown-filter.ts';
import { ListPage } from '../frame/list-page.tsx';
import { ShowChoice, shows } from '../frame/show-choice.tsx';
import { goTo } from '../go-to.ts';
import type { PageProps } from '../page.ts';
import { channelsOf, mayCreateChannels } from './channels-of.ts';
import { NewChannelDialog } from './new-channel-dialog.tsx';

/** The channels that the reader sees. */
export function ChannelsPage(props: PageProps) {
  const { state, rights } = props;
  const isDefault = new Set<number>(state.realm_default_streams ?? []);
  return (
    <ListPage
      {...props}
      add={
        mayCreateChannels(rights) && {
          label: 'New channel',
          dialog: (close) => (
            <NewChannelDialog {...props} onClose={close} onCreated={(id) => goTo('channels', id)} />
          ),
        }
      }
      tools={
        <>
          <FilterField
            label="Filter by name or description"
            placeholder="Filter by name or description"
          />
          <ShowChoice label="Which channels" other="archived" />
        </>
      }
      rows={channelsOf(state).filter(
        ({ name, description, is_archived }) =>
          is_archived === shows('archived') && matchesFilter(name, description),
      )}
      keyOf={({ stream_id }) => stream_id}
      columns={[
        {
          title: 'Name',
          cell: ({ stream_id, name, invite_only }) => (
            <span class="row">
              <Icon name={invite_only ? 'lock' : 'hash'} />
              <span class="clip">{name}</span>
              {isDefault.has(stream_id) && <Pill tone="info">default</Pill>}
            </span>
          ),
        },
        { title: 'Description', isWide: true, cell: ({ description }) => description },
        {
          title: 'Folder',
          isWide: true,
          cell: ({ folder_id }) => state.channel_folders?.find(({ id }) => id === folder_id)?.name,
        },
        {
          title: 'Subscribers',
          cell: ({ subscriber_count }) => subscriber_count,
          isNumber: true,
        },
      ]}
    />
  );
}
