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
import { strings } from './strings.ts';
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
    <div class="message-toolbar" role="toolbar" aria-label={strings.actions}>
      <PopoverButton icon="face-slightly-smiling-plus" label={strings.react}>
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
        label={isStarred ? strings.unstar : strings.star}
        aria-pressed={isStarred}
        onClick={() => actions.star(message)}
      />
      {isOwn && (
        <IconButton
          icon="pencil"
          label={strings.edit}
          onClick={() => (actions.editing.value = message.id)}
        />
      )}
      <PopoverButton icon="ellipsis" label={strings.more}>
        <MenuItem icon="link" label={strings.copyLink} onSelect={() => copy(link)} />
        <MenuItem
          icon="user"
          label={strings.bySender(message.sender_full_name)}
          onSelect={() => go(hrefOf({ kind: 'search', text: `sender:${message.sender_email}` }))}
        />
        <MenuItem
          icon="bell"
          label={strings.markUnread}
          onSelect={() => actions.markUnread(message)}
        />
        <MenuItem icon="rotate-ccw-clock" label={strings.history} onSelect={open('history')} />
        {webhookBots(account, message).length > 0 && (
          <MenuItem
            icon="webhook"
            label={strings.showDelivery}
            onSelect={() => void openDelivery(account, message)}
          />
        )}
        <MenuItem icon="braces" label={strings.source} onSelect={open('source')} />
        {message.stream_id !== undefined && (
          <>
            <MenuItem icon="move-right" label={strings.move} onSelect={open('move')} />
            <MenuItem
              icon="check"
              label={isResolved(message.subject) ? strings.reopen : strings.resolve}
              onSelect={() => actions.resolve(message)}
            />
          </>
        )}
        <MenuItem icon="trash" label={strings.delete} isDanger onSelect={open('delete')} />
      </PopoverButton>
    </div>
  );
}
