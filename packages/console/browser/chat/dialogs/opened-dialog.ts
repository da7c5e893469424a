import { signal } from '@preact/signals';

import type { LiveAccount } from '../../live/live-account.ts';

/** A dialog of Chat that is about no message. */
export type ChatDialog =
  | { readonly kind: 'new-channel' | 'channels' }
  /** The users that are chosen at first. */
  | { readonly kind: 'new-conversation'; readonly users?: readonly number[] }
  | { readonly kind: 'person'; readonly user_id: number }
  | { readonly kind: 'leave'; readonly channel: number };

interface OpenedDialog {
  /** The account that acts in the dialog. */
  readonly account: LiveAccount;
  readonly dialog: ChatDialog;
}

/** The dialog that is open, if any. */
export const openedDialog = signal<OpenedDialog | undefined>(undefined);

export const openDialog = (account: LiveAccount, dialog: ChatDialog): void => {
  openedDialog.value = { account, dialog };
};
