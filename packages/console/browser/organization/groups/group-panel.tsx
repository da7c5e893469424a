import {
  type UserGroup,
  type UserGroupId,
  userGroupSettings,
  type UserId,
} from '@bellhop/protocol';

import { ActionButton } from '../../controls/action-button.tsx';
import { ConfirmButton } from '../../controls/dialog-button.tsx';
import { Entries, parted } from '../frame/entries.tsx';
import { NameAndDescription } from '../frame/name-and-description.tsx';
import { Panel } from '../frame/panel.tsx';
import { peopleOf } from '../frame/people.ts';
import type { InspectorProps } from '../page.ts';
import { groupName } from './group-name.ts';
import { groupRights } from './group-rights.ts';
import { allMembers } from './membership.ts';
import { PermissionField } from './permission-field.tsx';

const permissionLabels = {
  can_add_members_group: 'Who can add members to this group',
  can_join_group: 'Who can join this group',
  can_leave_group: 'Who can leave this group',
  can_manage_group: 'Who can administer this group',
  can_mention_group: 'Who can mention this group',
  can_remove_members_group: 'Who can remove members from this group',
};

/**
 * A user group: members, subgroups and permissions, with the controls for which the reader has
 * permission.
 */
export function GroupPanel(props: InspectorProps) {
  const { state, item } = props;
  const group = state.realm_user_groups?.find(({ id }) => String(id) === item);
  return (
    <Panel {...props} title={group?.name}>
      {group && <OpenGroup {...props} group={group} />}
    </Panel>
  );
}

type OpenGroupProps = InspectorProps & { readonly group: UserGroup };

function OpenGroup(props: OpenGroupProps) {
  const { account, state, group } = props;
  const { userGroups } = account.client;
  const rights = groupRights(props, group);
  const user_group_id = group.id;
  const people = parted(peopleOf(state), group.members);
  const groups = (state.realm_user_groups ?? []).filter(
    ({ id, deactivated, name }) => id !== group.id && !deactivated && name !== 'role:internet',
  );
  const subgroups = parted(
    groups.map(({ id, name }) => ({ id, label: groupName(name) })),
    group.direct_subgroup_ids,
  );
  const indirect = allMembers(state, group.id).size - group.members.length;
  const update = (changes: object) => userGroups.update({ user_group_id, ...changes });
  return (
    <>
      <NameAndDescription
        of={group}
        maxLength={{ name: 100, description: 1000 }}
        mayChange={rights.manages}
        rename={(name) => update({ name })}
        describe={(description) => update({ description })}
      />
      <Membership {...props} />
      <Entries
        title="Members"
        note={indirect > 0 ? `and ${indirect} through subgroups` : undefined}
        {...people}
        addLabel="Add member"
        {...ifAllowed(rights, (change) =>
          userGroups.updateMembers({ user_group_id, ...(change as Change<UserId>) }),
        )}
      />
      <Entries
        title="Subgroups"
        {...subgroups}
        addLabel="Add subgroup"
        {...ifAllowed(rights, (change) =>
          userGroups.updateSubgroups({ user_group_id, ...(change as Change<UserGroupId>) }),
        )}
      />
      <section>
        <h3>Permissions</h3>
        {userGroupSettings.map((name) => (
          <PermissionField
            key={name}
            state={state}
            of="group"
            name={name}
            label={permissionLabels[name]}
            value={group[name]}
            save={rights.manages ? (change) => update({ [name]: change }) : undefined}
          />
        ))}
      </section>
      {rights.manages &&
        (group.deactivated ? (
          <ActionButton kind="primary" run={() => update({ deactivated: false })}>
            Reactivate
          </ActionButton>
        ) : (
          <ConfirmButton
            kind="danger"
            label="Deactivate"
            title={`Deactivate ${group.name}?`}
            run={() => userGroups.deactivate({ user_group_id })}
          >
            It can no longer be mentioned. Groups that are used in a permission cannot be
            deactivated.
          </ConfirmButton>
        ))}
    </>
  );
}

type Change<Id> = { readonly add: Id[] } | { readonly delete: Id[] };

/** The functions that change a list, for those whose rights include it. */
const ifAllowed = (
  { adds, removes }: ReturnType<typeof groupRights>,
  update: (change: Change<number>) => Promise<unknown>,
) => ({
  add: adds ? (id: number) => update({ add: [id] }) : undefined,
  remove: removes ? (id: number) => update({ delete: [id] }) : undefined,
});

/** Joins or leaves the group, if its settings allow that. */
function Membership(props: OpenGroupProps) {
  const { account, group } = props;
  const { joins, leaves } = groupRights(props, group);
  const isMember = group.members.includes(account.user_id);
  if (!(isMember ? leaves : joins)) return null;
  const own = [account.user_id];
  const change = () =>
    account.client.userGroups.updateMembers({
      user_group_id: group.id,
      ...(isMember ? { delete: own } : { add: own }),
    });
  return <ActionButton run={change}>{isMember ? 'Leave' : 'Join'}</ActionButton>;
}
