import { MenuItem } from '../controls/menu.tsx';
import type { LiveAccount } from '../live/live-account.ts';
import { mayCreateChannels } from '../organization/channels/channels-of.ts';
import { rightsOf } from '../organization/rights.ts';
import { openDialog } from './dialogs/opened-dialog.ts';

/** The entries of the menu beside the heading of the channels. */
export function AddChannelsMenu({ account }: { account: LiveAccount }) {
  const state = account.state.value;
  return (
    <>
      <MenuItem
        icon="search"
        label="Browse channels"
        onSelect={() => openDialog(account, { kind: 'channels' })}
      />
      {state && mayCreateChannels(rightsOf(state, account.user_id)) && (
        <MenuItem
          icon="plus"
          label="Create channel"
          onSelect={() => openDialog(account, { kind: 'new-channel' })}
        />
      )}
    </>
  );
}
