import type { InitialState, Role, UserId } from '@bellhop/protocol';
import { useSignal } from '@preact/signals';

import { Avatar } from '../../controls/avatar.tsx';
import { Button } from '../../controls/button.tsx';
import { ConfirmDialog } from '../../controls/confirm-dialog.tsx';
import { ErrorNotice } from '../../controls/error-notice.tsx';
import { useAction } from '../../controls/use-action.ts';
import { href } from '../../navigation/location.ts';
import { Panel } from '../frame/panel.tsx';
import { SavedField } from '../frame/saved-field.tsx';
import type { InspectorProps } from '../page.ts';
import { rolesGivenBy } from '../rights.ts';
import { roleNames, strings } from '../strings.ts';
import { LastSeen } from './last-seen.tsx';

type ListedUser = NonNullable<InitialState['realm_users']>[number];

/** The address that the reader may see. */
export const addressOf = ({ delivery_email, email }: ListedUser): string => delivery_email ?? email;

/** A user, with the controls for which the reader has permission. */
export function UserPanel(props: InspectorProps) {
  const { state, account, rights, item } = props;
  const is = ({ user_id }: ListedUser) => String(user_id) === item;
  const active = state.realm_users?.find(is);
  const user = active ?? state.realm_non_active_users?.find(is);
  if (!user)
    return (
      <Panel title={strings.users} page="users" item={item}>
        <p class="muted">{strings.noSuchUser}</p>
      </Panel>
    );
  const isSelf = user.user_id === account.user_id;
  const mayChange = rights.isAdmin && (rights.isOwner || !user.is_owner);
  return (
    <Panel title={user.full_name} page="users" item={item}>
      <div class="row">
        <Avatar name={user.full_name} id={user.user_id} />
        <a class="clip" href={href(['chat', 'direct', String(user.user_id)])}>
          {strings.writeTo}
        </a>
      </div>
      <dl class="org-facts">
        <dt>{strings.email}</dt>
        <dd>{addressOf(user)}</dd>
        <dt>{strings.userId}</dt>
        <dd>{user.user_id}</dd>
        <dt>{strings.joined}</dt>
        <dd>{user.date_joined.slice(0, 10)}</dd>
        <dt>{strings.lastSeen}</dt>
        <dd>
          <LastSeen state={state} user_id={user.user_id} />
        </dd>
        {!(mayChange && active) && (
          <>
            <dt>{strings.role}</dt>
            <dd>{roleNames[user.role]}</dd>
          </>
        )}
      </dl>
      {mayChange && (active ? <ChangeUser {...props} user={active} /> : <Reactivate {...props} />)}
      {mayChange && active && !isSelf && <Deactivate {...props} user={active} />}
    </Panel>
  );
}

type ChangeProps = InspectorProps & { readonly user: ListedUser };

function ChangeUser({ account, rights, user }: ChangeProps) {
  const { users } = account.client;
  const { user_id } = user;
  const options = rolesGivenBy(rights).map((value) => ({ value, label: roleNames[value] }));
  return (
    <>
      <SavedField
        label={strings.role}
        kind={{ kind: 'choice', options }}
        value={user.role}
        save={(role) => users.update({ user_id, role: role as Role })}
      />
      <SavedField
        label={strings.fullName}
        kind={{ kind: 'text', maxLength: 100 }}
        value={user.full_name}
        save={(full_name) => users.update({ user_id, full_name: String(full_name) })}
      />
    </>
  );
}

function Deactivate({ account, user }: ChangeProps) {
  const isAsking = useSignal(false);
  const tells = useSignal(false);
  const comment = useSignal('');
  const run = () =>
    account.client.users.deactivate({
      user_id: user.user_id,
      ...(tells.peek() ? { deactivation_notification_comment: comment.peek() } : {}),
    });
  return (
    <>
      <Button kind="danger" onClick={() => (isAsking.value = true)}>
        {strings.deactivate}
      </Button>
      {isAsking.value && (
        <ConfirmDialog
          title={strings.deactivateTitle(user.full_name)}
          action={strings.deactivate}
          run={run}
          onClose={() => (isAsking.value = false)}
        >
          {strings.deactivateText}
          <label class="org-check">
            <input
              type="checkbox"
              checked={tells.value}
              onChange={({ currentTarget }) => (tells.value = currentTarget.checked)}
            />
            {strings.tellByMail}
          </label>
          {tells.value && (
            <textarea
              class="input"
              rows={2}
              maxLength={2000}
              aria-label={strings.comment}
              placeholder={strings.comment}
              value={comment.value}
              onInput={({ currentTarget }) => (comment.value = currentTarget.value)}
            />
          )}
        </ConfirmDialog>
      )}
    </>
  );
}

function Reactivate({ account, item }: InspectorProps) {
  const { error, isBusy, run } = useAction();
  const user_id = Number(item) as UserId;
  return (
    <>
      <ErrorNotice error={error.value} />
      <Button
        kind="primary"
        isBusy={isBusy.value}
        onClick={() => run(account.client.users.reactivate({ user_id }))}
      >
        {strings.reactivate}
      </Button>
    </>
  );
}
