import type { FetchedMessage } from '@bellhop/protocol';

import type { LiveAccount } from '../live/live-account.ts';

export interface MessageDialogProps {
  readonly account: LiveAccount;
  readonly message: FetchedMessage;
  readonly onClose: () => void;
}
