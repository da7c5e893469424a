import type { InitialState } from '@bellhop/protocol';

import type { LiveAccount } from '../../live/live-account.ts';

export interface ChatDialogProps {
  readonly account: LiveAccount;
  readonly state: InitialState;
  readonly onClose: () => void;
}
