import { useSignal } from '@preact/signals';

import { Avatar } from '../controls/avatar.tsx';
import { Dialog } from '../controls/dialog.tsx';
import { MenuItem, PopoverButton } from '../controls/menu.tsx';
import { toast, toastError } from '../controls/toasts.tsx';
import { besideId, current } from '../live/accounts.ts';
import { go, href, setQuery } from '../navigation/location.ts';
import { account, accounts, chooseAccount, signOut } from '../session/session.ts';
import { SignInForm } from '../session/sign-in.tsx';
import { toggleOwnTheme } from './appearance.ts';

/** The address of the settings of the shown account. */
const SETTINGS = ['organization', 'settings'];

/**
 * The menu of the signed-in accounts: switches, shows a second account beside, adds one, signs out.
 */
export function AccountMenu() {
  const isAdding = useSignal(false);
  const shown = account.value;
  if (!shown) return null;
  // The session has the name of the sign-in.
  const own = current.value?.state.value?.realm_users?.find(
    ({ user_id }) => user_id === shown.user_id,
  );
  const name = own?.full_name ?? shown.full_name;
  const others = (accounts.value ?? []).filter(({ user_id }) => user_id !== shown.user_id);
  return (
    <div class="account">
      <PopoverButton
        icon="chevron-down"
        label="Accounts"
        face={
          <>
            <Avatar name={name} id={shown.user_id} />
            <span class="account-name clip">{name}</span>
          </>
        }
      >
        {others.map(({ user_id, full_name, email }) => (
          <div key={user_id} class="row">
            <button
              type="button"
              class="menu-item grow"
              data-closes
              onClick={() => chooseAccount(user_id)}
              title={email}
            >
              <Avatar small name={full_name} id={user_id} />
              <span class="clip">{full_name}</span>
            </button>
            <button
              type="button"
              class="button"
              data-closes
              aria-label={`Show side by side: ${full_name}`}
              aria-pressed={besideId.value === user_id}
              onClick={() => {
                const isOn = besideId.peek() !== user_id;
                setQuery({ beside: isOn ? String(user_id) : undefined });
                // Lists and the other parts have no second half.
                if (isOn) toast(`${full_name} is shown beside each conversation.`);
              }}
            >
              Show side by side
            </button>
          </div>
        ))}
        <MenuItem icon="user-plus" label="Add account" onSelect={() => (isAdding.value = true)} />
        <MenuItem icon="settings" label="Settings" onSelect={() => go(href(SETTINGS))} />
        <MenuItem icon="sun-moon" label="Toggle dark theme" onSelect={toggleOwnTheme} />
        <MenuItem
          icon="log-out"
          label="Sign out"
          onSelect={() => void signOut(shown.user_id).catch(toastError)}
        />
        {others.length > 0 && (
          <MenuItem
            icon="log-out"
            label="Sign out of all accounts"
            onSelect={() => void signOut().catch(toastError)}
          />
        )}
      </PopoverButton>
      {isAdding.value && (
        <Dialog title="Add account" onClose={() => (isAdding.value = false)}>
          <SignInForm onDone={() => (isAdding.value = false)} />
        </Dialog>
      )}
    </div>
  );
}
