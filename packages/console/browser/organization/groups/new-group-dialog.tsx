import type { InitialState, UserId } from '@bellhop/protocol';

import { FormDialog } from '../../controls/form-dialog.tsx';
import type { LiveAccount } from '../../live/live-account.ts';
import { textOf } from '../../text/text-of.ts';
import { CheckList, idsOf } from '../frame/check-list.tsx';
import { peopleOf } from '../frame/people.ts';
import { goTo } from '../go-to.ts';
import { strings } from './strings.ts';

interface NewGroupDialogProps {
  readonly account: LiveAccount;
  readonly state: InitialState;
  readonly onClose: () => void;
}

export function NewGroupDialog({ account, state, onClose }: NewGroupDialogProps) {
  const create = (fields: FormData) =>
    account.client.userGroups.create({
      name: textOf(fields.get('name')),
      description: textOf(fields.get('description')),
      members: idsOf(fields, 'member') as UserId[],
    });
  return (
    <FormDialog
      title={strings.newGroup}
      action={strings.createGroup}
      send={create}
      onSent={({ group_id }) => {
        onClose();
        goTo('groups', group_id);
      }}
      onClose={onClose}
    >
      <label class="field">
        {strings.name}
        <input class="input" name="name" maxLength={100} required />
      </label>
      <label class="field">
        {strings.description}
        <input class="input" name="description" maxLength={1000} />
      </label>
      <CheckList
        legend={strings.members}
        name="member"
        options={peopleOf(state)}
        chosen={[account.user_id]}
      />
    </FormDialog>
  );
}
