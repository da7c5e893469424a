import { Button } from '../../controls/button.tsx';
import { ErrorNotice } from '../../controls/error-notice.tsx';
import { TextField } from '../../controls/field.tsx';
import { toast } from '../../controls/toasts.tsx';
import { useAction } from '../../controls/use-action.ts';
import { checkAccount } from '../../session/session.ts';
import { textOf } from '../../text/text-of.ts';
import { SavedField } from '../frame/saved-field.tsx';
import type { PageProps } from '../page.ts';

/** Name, address and password of the user. */
export function AccountSection({ account, state, rights }: PageProps) {
  const { settings } = account.client;
  const mayRename = rights.isAdmin || state.realm_name_changes_disabled !== true;
  const mayMove = rights.isAdmin || state.realm_email_changes_disabled !== true;
  const own = state.realm_users?.find(({ user_id }) => user_id === account.user_id);
  return (
    <section class="org-settings" aria-label="Account">
      <h3>Account</h3>
      {mayRename && own && (
        <div class="org-setting">
          <SavedField
            label="Full name"
            kind={{ kind: 'text', maxLength: 100 }}
            value={own.full_name}
            save={(full_name) => settings.update({ full_name: String(full_name) })}
          />
        </div>
      )}
      {mayMove && own && (
        <div class="org-setting">
          <SavedField
            label="Email address"
            hint="We will send a confirmation to the new address."
            kind={{ kind: 'text', maxLength: 254 }}
            value={own.delivery_email ?? own.email}
            save={(email) => settings.update({ email: String(email) })}
          />
        </div>
      )}
      <PasswordForm account={account} />
    </section>
  );
}

function PasswordForm({ account }: Pick<PageProps, 'account'>) {
  const { error, isBusy, run } = useAction();
  const change = (fields: FormData) =>
    account.client.settings.update({
      old_password: textOf(fields.get('old')),
      new_password: textOf(fields.get('new')),
    });
  return (
    <form
      class="org-setting org-password"
      onSubmit={(event) => {
        event.preventDefault();
        run(change(new FormData(event.currentTarget)), () => {
          toast('Password changed.');
          // A new password ends the sessions of the old one.
          void checkAccount(account.user_id);
        });
      }}
    >
      <TextField
        label="Current password"
        name="old"
        type="password"
        autocomplete="current-password"
        required
      />
      <TextField
        label="New password"
        name="new"
        type="password"
        autocomplete="new-password"
        minLength={6}
        maxLength={100}
        required
      />
      <ErrorNotice error={error.value} />
      <Button type="submit" isBusy={isBusy.value}>
        Change password
      </Button>
    </form>
  );
}
