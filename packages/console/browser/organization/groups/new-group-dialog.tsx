import type { InitialState, UserId } from '@bellhop/protocol';

import { Button } from '../../controls/button.tsx';
import { Dialog } from '../../controls/dialog.tsx';
import { ErrorNotice } from '../../controls/error-notice.tsx';
import { useAction } from '../../controls/use-action.ts';
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
  const { error, isBusy, run } = useAction();
  const create = (fields: FormData) =>
    account.client.userGroups.create({
      name: textOf(fields.get('name')),
      description: textOf(fields.get('description')),
      members: idsOf(fields, 'member') as UserId[],
    });
  return (
    <Dialog title={strings.newGroup} onClose={onClose}>
      <form
        class="dialog-form"
        onSubmit={(event) => {
          event.preventDefault();
          run(create(new FormData(event.currentTarget)), ({ group_id }) => {
            onClose();
            goTo('groups', group_id);
          });
        }}
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
        <ErrorNotice error={error.value} />
        <div class="actions">
          <Button onClick={onClose}>{strings.cancel}</Button>
          <Button kind="primary" type="submit" isBusy={isBusy.value}>
            {strings.createGroup}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
