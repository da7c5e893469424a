import type { FetchedMessage } from '@bellhop/protocol';

import { MenuItem } from '../controls/menu.tsx';
import { toast, toastError } from '../controls/toasts.tsx';
import type { LiveAccount } from '../live/live-account.ts';
import { go } from '../navigation/location.ts';
import { openDelivery } from './failure-reference.tsx';
import { hrefOf } from './href-of.ts';
import { isResolved, type MessageActions, type MessageDialog } from './message-actions.ts';
import { markdownOf, quoteMessage } from './quote.ts';
import { viewOfMessage } from './recipient-head.tsx';
import { webhookBots } from './webhook-bots.ts';

interface MessageMenuProps {
  readonly account: LiveAccount;
  readonly message: FetchedMessage;
  readonly actions: MessageActions;
}

/** The entries of the menu of a message. */
export function MessageMenu({ account, message, actions }: MessageMenuProps) {
  const copy = (text: string) => void navigator.clipboard.writeText(text).catch(toastError);
  const link =
    location.origin + hrefOf(viewOfMessage(message, account.user_id), { near: String(message.id) });
  const state = account.state.peek();
  const open = (kind: MessageDialog['kind']) => () => (actions.dialog.value = { kind, message });
  return (
    <>
      <MenuItem
        icon="text-quote"
        label="Quote"
        onSelect={() => void quoteMessage(account, message).catch(toastError)}
      />
      <MenuItem icon="forward" label="Forward" onSelect={open('forward')} />
      <MenuItem icon="copy" label="Copy text" onSelect={() => void copyText(account, message)} />
      <MenuItem icon="link" label="Copy link to message" onSelect={() => copy(link)} />
      <MenuItem icon="alarm-clock" label="Remind me" onSelect={open('reminder')} />
      <MenuItem icon="bell" label="Mark as unread" onSelect={() => actions.markUnread(message)} />
      <MenuItem
        icon="user"
        label={`Messages from ${message.sender_full_name}`}
        onSelect={() => go(hrefOf({ kind: 'search', text: `sender:${message.sender_email}` }))}
      />
      {state?.realm_enable_read_receipts !== false && (
        <MenuItem icon="eye" label="Read by" onSelect={open('receipts')} />
      )}
      <MenuItem icon="rotate-ccw-clock" label="Edit history" onSelect={open('history')} />
      {webhookBots(account, message).length > 0 && (
        <MenuItem
          icon="webhook"
          label="Show delivery"
          onSelect={() => void openDelivery(account, message)}
        />
      )}
      <MenuItem icon="braces" label="Message as JSON" onSelect={open('source')} />
      {message.stream_id !== undefined && (
        <>
          <MenuItem icon="move-right" label="Move" onSelect={open('move')} />
          <MenuItem
            icon="check"
            label={isResolved(message.subject) ? 'Unresolve topic' : 'Resolve topic'}
            onSelect={() => actions.resolve(message)}
          />
        </>
      )}
      <MenuItem icon="trash" label="Delete" isDanger onSelect={open('delete')} />
    </>
  );
}

/** Copies what the sender wrote. The clipboard waits for it: the press that permits it is soon over. */
async function copyText(account: LiveAccount, message: FetchedMessage): Promise<void> {
  const blob = markdownOf(account, message).then(
    (text) => new Blob([text], { type: 'text/plain' }),
  );
  await navigator.clipboard
    .write([new ClipboardItem({ 'text/plain': blob })])
    .then(() => toast('Copied'), toastError);
}
