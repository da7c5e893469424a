import { Avatar } from '../../controls/avatar.tsx';
import { Pill } from '../../controls/pill.tsx';
import { FilterField } from '../../list/filter-field.tsx';
import { matchesFilter } from '../../list/shown-filter.ts';
import { href } from '../../navigation/location.ts';
import { ListPage } from '../frame/list-page.tsx';
import { ShowChoice, shows } from '../frame/show-choice.tsx';
import type { PageProps } from '../page.ts';
import { roleNames } from '../role-names.ts';
import { LastSeen } from './last-seen.tsx';
import { addressOf } from './user-panel.tsx';

/** People of the organization whom the user may see. */
export function UsersPage(props: PageProps) {
  const { state, rights } = props;
  const all = (shows('deactivated') ? state.realm_non_active_users : state.realm_users) ?? [];
  return (
    <ListPage
      {...props}
      link={
        rights.isGuest || (
          <a class="button primary" href={href(['organization', 'invitations'])}>
            Invite people
          </a>
        )
      }
      tools={
        <>
          <FilterField label="Filter by name or email" placeholder="Filter by name or email" />
          <ShowChoice label="Which users" other="deactivated" />
        </>
      }
      rows={all
        .filter((user) => !user.is_bot && matchesFilter(user.full_name, addressOf(user)))
        .toSorted((a, b) => a.full_name.localeCompare(b.full_name))}
      keyOf={({ user_id }) => user_id}
      columns={[
        {
          title: 'Name',
          cell: ({ full_name, user_id }) => (
            <span class="row">
              <Avatar small name={full_name} id={user_id} />
              <span class="clip">{full_name}</span>
            </span>
          ),
        },
        { title: 'Role', cell: ({ role }) => <Pill>{roleNames[role]}</Pill> },
        { title: 'Email', isWide: true, cell: (user) => addressOf(user) },
        {
          title: 'Last seen',
          isWide: true,
          cell: ({ user_id }) => <LastSeen state={state} user_id={user_id} />,
        },
      ]}
    />
  );
}
