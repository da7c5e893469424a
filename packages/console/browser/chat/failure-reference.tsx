import type { FetchedMessage } from '@bellhop/protocol';

import { CopyButton } from '../controls/copy-button.tsx';
import { toastError } from '../controls/toasts.tsx';
import type { LiveAccount } from '../live/live-account.ts';
import { userOf } from './names.ts';
import { webhookBots } from './webhook-bots.ts';

interface FailureReferenceProps {
  readonly account: LiveAccount;
  readonly message: FetchedMessage;
}

export const openDelivery = async (account: LiveAccount, message: FetchedMessage): Promise<void> =>
  (await import('./show-delivery.ts')).showDelivery(account, message).catch(toastError);

/**
 * The reference of a reply like `Something went wrong. Reference 3fa9c1d2`, under which the bot has
 * logged the error, with a button that copies it and, for the owner of the bot, a link to the
 * delivery.
 */
export function FailureReference({ account, message }: FailureReferenceProps) {
  const reference = /\bReference ([\da-f]{8})\b/.exec(message.content)?.[1];
  const state = account.state.peek();
  if (reference === undefined || !state || !userOf(state, message.sender_id)?.is_bot) return null;
  return (
    <span class="message-note row">
      In the bot's log: <code>{reference}</code>
      <CopyButton text={reference} label="Copy reference" />
      {webhookBots(account, message).length > 0 && (
        <button
          type="button"
          class="link-button"
          onClick={() => void openDelivery(account, message)}
        >
          Show delivery
        </button>
      )}
    </span>
  );
}
