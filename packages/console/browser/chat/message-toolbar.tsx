import type { FetchedMessage } from '@bellhop/protocol';

import { IconButton } from '../controls/button.tsx';
import { PopoverButton } from '../controls/menu.tsx';
import type { LiveAccount } from '../live/live-account.ts';
import { Lazy } from '../shell/lazy.tsx';
import type { Emoji } from './emoji.ts';
import type { MessageActions } from './message-actions.ts';

interface MessageToolbarProps {
  readonly account: LiveAccount;
  readonly message: FetchedMessage;
  readonly actions: MessageActions;
}

const loadMenu = async () => (await import('./message-menu.tsx')).MessageMenu;

const loadPicker = async () => (await import('./emoji-picker.tsx')).EmojiPicker;

/** The buttons of the message under the pointer or with the focus. */
export function MessageToolbar({ account, message, actions }: MessageToolbarProps) {
  const isOwn = message.sender_id === account.user_id;
  const isStarred = message.flags.includes('starred');
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
        <Lazy load={loadMenu} props={{ account, message, actions }} />
      </PopoverButton>
    </div>
  );
}
