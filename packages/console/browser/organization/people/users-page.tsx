import { Avatar } from '../../controls/avatar.tsx';
import { Pill } from '../../controls/pill.tsx';
import { FilterField } from '../../list/filter-field.tsx';
import { matchesFilter } from '../../list/shown-filter.ts';
import { href } from '../../navigation/location.ts';
import { ListPage } from '../frame/list-page.tsx';
import { ShowChoice, shows } from '../frame/show-choice.tsx';
import type { PageProps } from '../page.ts';
import { roleNames, strings } from '../strings.ts';
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
            {strings.invite}
          </a>
        )
      }
      tools={
        <>
          <FilterField label={strings.filterUsers} placeholder={strings.filterUsers} />
          <ShowChoice label={strings.whichUsers} other="deactivated" />
        </>
      }
      rows={all
        .filter((user) => !user.is_bot && matchesFilter(user.full_name, addressOf(user)))
        .toSorted((a, b) => a.full_name.localeCompare(b.full_name))}
      keyOf={({ user_id }) => user_id}
      columns={[
        {
          title: strings.name,
          cell: ({ full_name, user_id }) => (
            <span class="row">
              <Avatar small name={full_name} id={user_id} />
              <span class="clip">{full_name}</span>
            </span>
          ),
        },
        { title: strings.role, cell: ({ role }) => <Pill>{roleNames[role]}</Pill> },
        { title: strings.email, isWide: true, cell: (user) => addressOf(user) },
        {
          title: strings.lastSeen,
          isWide: true,
          cell: ({ user_id }) => <LastSeen state={state} user_id={user_id} />,
        },
      ]}
    />
  );
}
