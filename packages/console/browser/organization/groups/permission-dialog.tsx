import {
  type GroupSetting,
  type GroupSettingUpdate,
  type InitialState,
  systemGroups,
  type UserGroup,
  type UserGroupId,
  type UserId,
} from '@bellhop/protocol';
import { useSignal } from '@preact/signals';

import { SelectField } from '../../controls/field.tsx';
import { FormDialog } from '../../controls/form-dialog.tsx';
import { CheckList, idsOf } from '../frame/check-list.tsx';
import { peopleOf } from '../frame/people.ts';
import { namedBy } from './describe-setting.ts';
import { groupName } from './group-name.ts';
import type { PermissionFieldProps } from './permission-field-props.ts';

interface PermissionDialogProps extends PermissionFieldProps {
  readonly save: (change: GroupSettingUpdate) => Promise<unknown>;
  readonly onClose: () => void;
}
const CHOSEN = 'chosen';

/**
 * Chooses a role, or groups and people. The server refuses the change if the setting has changed in
 * the meantime.
 */
export function PermissionDialog(props: PermissionDialogProps) {
  const { state, label, value, save, onClose } = props;
  const { roles, takesOthers } = choicesOf(props);
  const isRole = typeof value === 'number' && roles.some(({ id }) => id === value);
  const choice = useSignal(isRole ? String(value) : CHOSEN);
  const send = (fields: FormData) => {
    const next = choice.peek() === CHOSEN ? chosenIn(fields) : Number(choice.peek());
    return save({ new: next as GroupSetting, old: value });
  };
  return (
    <FormDialog title={label} action="Save" send={send} onClose={onClose}>
      <SelectField
        label="Who"
        value={choice.value}
        onChoose={(id) => (choice.value = id)}
        options={[
          ...roles.map(({ id, name }) => ({ value: id, label: groupName(name) })),
          ...(takesOthers ? [{ value: CHOSEN, label: 'Specific groups and people' }] : []),
        ]}
      />
      {choice.value === CHOSEN && <Chosen state={state} value={value} roles={roles} />}
    </FormDialog>
  );
}

interface ChosenProps {
  readonly state: InitialState;
  readonly value: GroupSetting;
  readonly roles: readonly UserGroup[];
}

function Chosen({ state, value, roles }: ChosenProps) {
  const { direct_members, direct_subgroups } = namedBy(value);
  const own = (state.realm_user_groups ?? []).filter(
    ({ is_system_group, deactivated }) => !is_system_group && !deactivated,
  );
  const groups = [...roles.filter(({ name }) => name !== 'role:nobody'), ...own];
  return (
    <>
      <CheckList
        legend="User groups"
        name="group"
        options={groups.map(({ id, name }) => ({ id, label: groupName(name) }))}
        chosen={direct_subgroups}
      />
      <CheckList legend="People" name="user" options={peopleOf(state)} chosen={direct_members} />
    </>
  );
}

function chosenIn(fields: FormData): GroupSetting {
  const direct_subgroups = idsOf(fields, 'group') as UserGroupId[];
  const direct_members = idsOf(fields, 'user') as UserId[];
  const [only] = direct_subgroups;
  return only !== undefined && direct_subgroups.length === 1 && direct_members.length === 0
    ? only
    : { direct_members, direct_subgroups };
}

/** The roles that the server takes for a setting, and whether it takes other groups and people. */
function choicesOf({ state, of, name }: PermissionFieldProps) {
  const rule = state.server_supported_permission_settings?.[of][name];
  const isAllowed = (role: string) => {
    const allowed = rule?.allowed_system_groups ?? [];
    if (allowed.length > 0) return allowed.includes(role);
    if (role === 'role:nobody') return rule?.allow_nobody_group ?? true;
    if (role === 'role:everyone') return rule?.allow_everyone_group ?? true;
    return role !== 'role:internet' || (rule?.allow_internet_group ?? false);
  };
  const roles = systemGroups
    .filter(isAllowed)
    .map((role) => state.realm_user_groups?.find((group) => group.name === role))
    .filter((group) => group !== undefined);
  return { roles, takesOthers: rule?.require_system_group !== true };
}
