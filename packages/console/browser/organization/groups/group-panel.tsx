import {
  type UserGroup,
  type UserGroupId,
  userGroupSettings,
  type UserId,
} from '@bellhop/protocol';
import { useSignal } from '@preact/signals';

import { Button } from '../../controls/button.tsx';
import { ConfirmDialog } from '../../controls/confirm-dialog.tsx';
import { ErrorNotice } from '../../controls/error-notice.tsx';
import { useAction } from '../../controls/use-action.ts';
import { Entries, parted } from '../frame/entries.tsx';
import { Panel } from '../frame/panel.tsx';
import { peopleOf } from '../frame/people.ts';
import { SavedField } from '../frame/saved-field.tsx';
import type { InspectorProps } from '../page.ts';
import { groupRights } from './group-rights.ts';
import { allMembers } from './membership.ts';
import { PermissionField } from './permission-field.tsx';
import { groupName, strings } from './strings.ts';

/**
 * A user group: members, subgroups and permissions, with the controls for which the reader has
 * permission.
 */
export function GroupPanel(props: InspectorProps) {
  const { state, item } = props;
  const group = state.realm_user_groups?.find(({ id }) => String(id) === item);
  return (
    <Panel title={group?.name ?? strings.groups} page="groups" item={item}>
      {group ? <OpenGroup {...props} group={group} /> : <p class="muted">{strings.noSuchGroup}</p>}
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
      {rights.manages ? (
        <>
          <SavedField
            label={strings.name}
            kind={{ kind: 'text', maxLength: 100 }}
            value={group.name}
            save={(name) => update({ name })}
          />
          <SavedField
            label={strings.description}
            kind={{ kind: 'text', maxLength: 1000 }}
            value={group.description}
            save={(description) => update({ description })}
          />
        </>
      ) : (
        <p>{group.description}</p>
      )}
      <Membership {...props} />
      <Entries
        title={strings.members}
        note={indirect > 0 ? strings.inSubgroups(indirect) : undefined}
        {...people}
        addLabel={strings.addMember}
        add={
          rights.adds
            ? (id) => userGroups.updateMembers({ user_group_id, add: [id as UserId] })
            : undefined
        }
        remove={
          rights.removes
            ? (id) => userGroups.updateMembers({ user_group_id, delete: [id as UserId] })
            : undefined
        }
      />
      <Entries
        title={strings.subgroups}
        {...subgroups}
        addLabel={strings.addSubgroup}
        add={
          rights.adds
            ? (id) => userGroups.updateSubgroups({ user_group_id, add: [id as UserGroupId] })
            : undefined
        }
        remove={
          rights.removes
            ? (id) => userGroups.updateSubgroups({ user_group_id, delete: [id as UserGroupId] })
            : undefined
        }
      />
      <section>
        <h3>{strings.permissions}</h3>
        {userGroupSettings.map((name) => (
          <PermissionField
            key={name}
            state={state}
            of="group"
            name={name}
            label={strings.settings[name]}
            value={group[name]}
            save={rights.manages ? (change) => update({ [name]: change }) : undefined}
          />
        ))}
      </section>
      {rights.manages &&
        (group.deactivated ? <Reactivate {...props} /> : <Deactivate {...props} />)}
    </>
  );
}

/** Joins or leaves, if the group lets one. */
function Membership(props: OpenGroupProps) {
  const { account, group } = props;
  const { joins, leaves } = groupRights(props, group);
  const { error, isBusy, run } = useAction();
  const isMember = group.members.includes(account.user_id);
  if (!(isMember ? leaves : joins)) return null;
  const own = [account.user_id];
  const call = () =>
    account.client.userGroups.updateMembers({
      user_group_id: group.id,
      ...(isMember ? { delete: own } : { add: own }),
    });
  return (
    <>
      <Button isBusy={isBusy.value} onClick={() => run(call())}>
        {isMember ? strings.leave : strings.join}
      </Button>
      <ErrorNotice error={error.value} />
    </>
  );
}

function Deactivate({ account, group }: OpenGroupProps) {
  const isAsking = useSignal(false);
  return (
    <>
      <Button kind="danger" onClick={() => (isAsking.value = true)}>
        {strings.deactivate}
      </Button>
      {isAsking.value && (
        <ConfirmDialog
          title={strings.deactivateTitle(group.name)}
          action={strings.deactivate}
          run={() => account.client.userGroups.deactivate({ user_group_id: group.id })}
          onClose={() => (isAsking.value = false)}
        >
          {strings.deactivateText}
        </ConfirmDialog>
      )}
    </>
  );
}

function Reactivate({ account, group }: OpenGroupProps) {
  const { error, isBusy, run } = useAction();
  const call = () =>
    account.client.userGroups.update({ user_group_id: group.id, deactivated: false });
  return (
    <>
      <ErrorNotice error={error.value} />
      <Button kind="primary" isBusy={isBusy.value} onClick={() => run(call())}>
        {strings.reactivate}
      </Button>
    </>
  );
}
