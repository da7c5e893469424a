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
import { strings } from './strings.ts';

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
          label: strings.newGroup,
          dialog: (close) => (
            <FormDialog
              title={strings.newGroup}
              action={strings.createGroup}
              send={create}
              onSent={({ group_id }) => {
                close();
                goTo('groups', group_id);
              }}
              onClose={close}
            >
              <TextField label={strings.name} name="name" maxLength={100} required />
              <TextField label={strings.description} name="description" maxLength={1000} />
              <CheckList
                legend={strings.members}
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
          <FilterField label={strings.filter} placeholder={strings.filter} />
          <ShowChoice label={strings.which} other="deactivated" />
        </>
      }
      rows={groups}
      keyOf={({ id }) => id}
      columns={[
        { title: strings.name, cell: ({ name }) => name },
        { title: strings.description, isWide: true, cell: ({ description }) => description },
        { title: strings.members, cell: ({ id }) => allMembers(state, id).size },
      ]}
    />
  );
}
