import { useSignal } from '@preact/signals';

import { Button } from '../../controls/button.tsx';
import { FormDialog } from '../../controls/form-dialog.tsx';
import type { LiveAccount } from '../../live/live-account.ts';
import { textOf } from '../../text/text-of.ts';
import { PageFrame } from '../frame/page-frame.tsx';
import { Table } from '../frame/table.tsx';
import type { PageProps } from '../page.ts';
import { strings } from './strings.ts';

/** The default channel groups, of which new users choose some. */
export function DefaultGroupsPage({ account, state, rights, item }: PageProps) {
  const isCreating = useSignal(false);
  const groups = state.realm_default_stream_groups ?? [];
  return (
    <PageFrame
      title={strings.defaultGroups}
      text={strings.defaultGroupsText}
      actions={
        rights.isAdmin && (
          <Button kind="primary" icon="plus" onClick={() => (isCreating.value = true)}>
            {strings.newDefaultGroup}
          </Button>
        )
      }
      empty={
        groups.length === 0 && {
          icon: 'hash',
          title: strings.noDefaultGroups,
          text: strings.noDefaultGroupsText,
        }
      }
    >
      {groups.length > 0 && (
        <Table
          label={strings.defaultGroups}
          page="default-groups"
          open={item}
          rows={groups}
          idOf={({ id }) => id}
          columns={[
            { title: strings.name, cell: ({ name }) => name },
            { title: strings.description, isWide: true, cell: ({ description }) => description },
            { title: strings.channelsIn, cell: ({ streams }) => streams.length },
          ]}
        />
      )}
      {isCreating.value && (
        <NewGroupDialog account={account} onClose={() => (isCreating.value = false)} />
      )}
    </PageFrame>
  );
}

interface NewGroupProps {
  readonly account: LiveAccount;
  readonly onClose: () => void;
}

function NewGroupDialog({ account, onClose }: NewGroupProps) {
  const create = (fields: FormData) =>
    account.client.defaultChannelGroups.create({
      group_name: textOf(fields.get('name')),
      description: textOf(fields.get('description')),
      stream_names: [],
    });
  return (
    <FormDialog
      title={strings.newDefaultGroup}
      action={strings.create}
      send={create}
      onSent={onClose}
      onClose={onClose}
    >
      <label class="field">
        {strings.name}
        <input class="input" name="name" maxLength={60} required />
      </label>
      <label class="field">
        {strings.description}
        <input class="input" name="description" maxLength={1024} required />
      </label>
    </FormDialog>
  );
}
