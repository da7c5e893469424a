import type { FetchedMessage } from '@bellhop/protocol';

import { IconButton } from '../controls/button.tsx';
import { MenuItem, PopoverButton } from '../controls/menu.tsx';
import { toastError } from '../controls/toasts.tsx';
import type { LiveAccount } from '../live/live-account.ts';
import { go } from '../navigation/location.ts';
import { Lazy } from '../shell/lazy.tsx';
import type { Emoji } from './emoji.ts';
import { openDelivery } from './failure-reference.tsx';
import { hrefOf } from './href-of.ts';
import { isResolved, type MessageActions } from './message-actions.ts';
import { viewOfMessage } from './recipient-head.tsx';
import { webhookBots } from './webhook-bots.ts';

interface MessageToolbarProps {
  readonly account: LiveAccount;
  readonly message: FetchedMessage;
  readonly actions: MessageActions;
}

const loadPicker = async () => (await import('./emoji-picker.tsx')).EmojiPicker;

/** The buttons of the message under the pointer or with the focus. */
export function MessageToolbar({ account, message, actions }: MessageToolbarProps) {
  const isOwn = message.sender_id === account.user_id;
  const isStarred = message.flags.includes('starred');
  const copy = (text: string) => void navigator.clipboard.writeText(text).catch(toastError);
  const link =
    location.origin + hrefOf(viewOfMessage(message, account.user_id), { near: String(message.id) });
  const open = (kind: 'history' | 'source' | 'move' | 'delete') => () =>
    (actions.dialog.value = { kind, message });
  return (
    <div class="message-toolbar" role="toolbar" aria-label="Message actions">
      <PopoverButton icon="face-slightly-smiling-plus" label="Add reaction">
        <Lazy
          load={loadPicker}
          props={{
            account,
            onPick: ({ name, code, type }: Emoji) =>
              actions.react(
                message,
                {
                  emoji_name: name,
                  emoji_code: code,
                  reaction_type: type,
                  user_id: account.user_id,
                },
                true,
              ),
          }}
        />
      </PopoverButton>
      <IconButton
        icon="star"
        label={isStarred ? 'Unstar' : 'Star'}
        aria-pressed={isStarred}
        onClick={() => actions.star(message)}
      />
      {isOwn && (
        <IconButton
          icon="pencil"
          label="Edit"
          onClick={() => (actions.editing.value = message.id)}
        />
      )}
      <PopoverButton icon="ellipsis" label="More actions">
        <MenuItem icon="link" label="Copy link to message" onSelect={() => copy(link)} />
        <MenuItem
          icon="user"
          label={`Messages from ${message.sender_full_name}`}
          onSelect={() => go(hrefOf({ kind: 'search', text: `sender:${message.sender_email}` }))}
        />
        <MenuItem icon="bell" label="Mark as unread" onSelect={() => actions.markUnread(message)} />
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
      </PopoverButton>
    </div>
  );
}
