import { useSignal } from '@preact/signals';

import { Button } from '../../controls/button.tsx';
import { FilterField, matchesFilter } from '../frame/filter-field.tsx';
import { PageFrame } from '../frame/page-frame.tsx';
import { ShowChoice, shows } from '../frame/show-choice.tsx';
import { Table } from '../frame/table.tsx';
import type { PageProps } from '../page.ts';
import { allMembers } from './membership.ts';
import { NewGroupDialog } from './new-group-dialog.tsx';
import { strings } from './strings.ts';

/** The user groups that people have made. */
export function GroupsPage({ account, state, rights, item }: PageProps) {
  const isCreating = useSignal(false);
  const showsInactive = shows('deactivated');
  const groups = (state.realm_user_groups ?? [])
    .filter(
      ({ is_system_group, deactivated, name, description }) =>
        !is_system_group && deactivated === showsInactive && matchesFilter(name, description),
    )
    .toSorted((a, b) => a.name.localeCompare(b.name));
  const newButton = rights.may('can_create_groups') && !rights.isGuest && (
    <Button kind="primary" icon="plus" onClick={() => (isCreating.value = true)}>
      {strings.newGroup}
    </Button>
  );
  return (
    <PageFrame
      title={strings.groups}
      text={strings.groupsText}
      actions={newButton}
      empty={
        groups.length === 0 && {
          icon: 'users',
          title: strings.noGroups,
          text: strings.noGroupsText,
        }
      }
    >
      <div class="row org-tools">
        <FilterField label={strings.filter} />
        <ShowChoice label={strings.which} other="deactivated" />
      </div>
      {groups.length > 0 && (
        <Table
          label={strings.groups}
          page="groups"
          open={item}
          rows={groups}
          idOf={({ id }) => id}
          columns={[
            { title: strings.name, cell: ({ name }) => name },
            { title: strings.description, isWide: true, cell: ({ description }) => description },
            { title: strings.members, cell: ({ id }) => allMembers(state, id).size },
          ]}
        />
      )}
      {isCreating.value && (
        <NewGroupDialog
          account={account}
          state={state}
          onClose={() => (isCreating.value = false)}
        />
      )}
    </PageFrame>
  );
}
