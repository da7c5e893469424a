import type { UserId } from '@bellhop/protocol';

import { TextField } from '../../controls/field.tsx';
import { FormDialog } from '../../controls/form-dialog.tsx';
import { FilterField } from '../../list/filter-field.tsx';
import { matchesFilter } from '../../list/shown-filter.ts';
import { textOf } from '../../text/text-of.ts';
import { CheckList, idsOf } from '../frame/check-list.tsx';
import { ListPage } from '../frame/list-page.tsx';
import { peopleOf } from '../frame/people.ts';
import { ShowChoice, shows } from '../frame/show-choice.tsx';
import { goTo } from '../go-to.ts';
import type { PageProps } from '../page.ts';
import { allMembers } from './membership.ts';

/** The user groups that people have made. */
export function GroupsPage(props: PageProps) {
  const { account, state, rights } = props;
  const groups = (state.realm_user_groups ?? [])
    .filter(
      ({ is_system_group, deactivated, name, description }) =>
        !is_system_group &&
        deactivated === shows('deactivated') &&
        matchesFilter(name, description),
    )
    .toSorted((a, b) => a.name.localeCompare(b.name));
  const create = (fields: FormData) =>
    account.client.userGroups.create({
      name: textOf(fields.get('name')),
      description: textOf(fields.get('description')),
      members: idsOf(fields, 'member') as UserId[],
    });
  return (
    <ListPage
      {...props}
      add={
        rights.may('can_create_groups') &&
        !rights.isGuest && {
          label: 'New group',
          dialog: (close) => (
            <FormDialog
              title="New group"
              action="Create"
              send={create}
              onSent={({ group_id }) => {
                close();
                goTo('groups', group_id);
              }}
              onClose={close}
            >
              <TextField label="Name" name="name" maxLength={100} required />
              <TextField label="Description" name="description" maxLength={1000} />
              <CheckList
                legend="Members"
                name="member"
                options={peopleOf(state)}
                chosen={[account.user_id]}
              />
            </FormDialog>
          ),
        }
      }
      tools={
        <>
          <FilterField
            label="Filter by name or description"
            placeholder="Filter by name or description"
          />
          <ShowChoice label="Which groups" other="deactivated" />
        </>
      }
      rows={groups}
      keyOf={({ id }) => id}
      columns={[
        { title: 'Name', cell: ({ name }) => name },
        { title: 'Description', isWide: true, cell: ({ description }) => description },
        { title: 'Members', cell: ({ id }) => allMembers(state, id).size, isNumber: true },
      ]}
    />
  );
}
