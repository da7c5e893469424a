import type { InitialState, Role } from '@bellhop/protocol';
import { useSignal } from '@preact/signals';

import { ActionButton } from '../../controls/action-button.tsx';
import { Avatar } from '../../controls/avatar.tsx';
import { ConfirmButton } from '../../controls/dialog-button.tsx';
import { Fact, Facts } from '../../controls/facts.tsx';
import { href } from '../../navigation/location.ts';
import { CheckField } from '../frame/check-list.tsx';
import { Panel } from '../frame/panel.tsx';
import { SavedField } from '../frame/saved-field.tsx';
import type { InspectorProps } from '../page.ts';
import { rolesGivenBy } from '../rights.ts';
import { roleNames } from '../role-names.ts';
import { LastSeen } from './last-seen.tsx';

type ListedUser = NonNullable<InitialState['realm_users']>[number];

/** The address that the reader may see. */
export const addressOf = ({ delivery_email, email }: ListedUser): string => delivery_email ?? email;

/** A user, with the controls for which the reader has permission. */
export function UserPanel(props: InspectorProps) {
  const { state, account, rights, item } = props;
  const { users } = account.client;
  const is = ({ user_id }: ListedUser) => String(user_id) === item;
  const active = state.realm_users?.find(is);
  const user = active ?? state.realm_non_active_users?.find(is);
  if (!user) return <Panel {...props} />;
  const { user_id } = user;
  const isSelf = user.user_id === account.user_id;
  const mayChange = rights.isAdmin && (rights.isOwner || !user.is_owner);
  return (
    <Panel {...props} title={user.full_name}>
      <div class="row">
        <Avatar name={user.full_name} id={user.user_id} />
        <a class="clip" href={href(['chat', 'direct', String(user.user_id)])}>
          Send direct message
        </a>
      </div>
      <Facts>
        <Fact name="Email">{addressOf(user)}</Fact>
        <Fact name="User ID">{user.user_id}</Fact>
        <Fact name="Joined">{user.date_joined.slice(0, 10)}</Fact>
        <Fact name="Last seen">
          <LastSeen state={state} user_id={user.user_id} />
        </Fact>
        {!(mayChange && active) && <Fact name="Role">{roleNames[user.role]}</Fact>}
      </Facts>
      {mayChange && active && <ChangeUser {...props} user={active} />}
      {mayChange && !active && (
        <ActionButton kind="primary" run={() => users.reactivate({ user_id })}>
          Reactivate
        </ActionButton>
      )}
      {mayChange && active && !isSelf && <SendPasswordLink {...props} user={active} />}
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
        label="Role"
        kind={{ kind: 'choice', options }}
        value={user.role}
        save={(role) => users.update({ user_id, role: role as Role })}
      />
      <SavedField
        label="Full name"
        kind={{ kind: 'text', maxLength: 100 }}
        value={user.full_name}
        save={(full_name) => users.update({ user_id, full_name: String(full_name) })}
      />
    </>
  );
}

function SendPasswordLink({ account, user: { user_id, full_name } }: ChangeProps) {
  const isSent = useSignal(false);
  if (isSent.value) return <p role="status">The link is on its way to {full_name}.</p>;
  const run = async () => {
    await account.client.passwordResets.send({ user_id });
    isSent.value = true;
  };
  return (
    <ConfirmButton
      label="Send password link"
      title={`Send ${full_name} a link for a new password?`}
      action="Send"
      actionKind="primary"
      run={run}
    >
      They get it by email, at their own address. Their password stays until they choose a new one.
    </ConfirmButton>
  );
}

function Deactivate({ account, user: { user_id, full_name } }: ChangeProps) {
  const tells = useSignal(false);
  const comment = useSignal('');
  const run = () =>
    account.client.users.deactivate({
      user_id,
      ...(tells.peek() ? { deactivation_notification_comment: comment.peek() } : {}),
    });
  return (
    <ConfirmButton kind="danger" label="Deactivate" title={`Deactivate ${full_name}?`} run={run}>
      They will be signed out everywhere, and their API key, phones and bots will stop working
      immediately. Their messages are kept. You can reactivate the account later.
      <CheckField
        label="Notify them by email"
        checked={tells.value}
        onChange={({ currentTarget }) => (tells.value = currentTarget.checked)}
      />
      {tells.value && (
        <textarea
          class="input"
          rows={2}
          maxLength={2000}
          aria-label="Comment to include in the email"
          placeholder="Comment to include in the email"
          value={comment.value}
          onInput={({ currentTarget }) => (comment.value = currentTarget.value)}
        />
      )}
    </ConfirmButton>
  );
}
