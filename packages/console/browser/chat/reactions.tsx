import type { FetchedMessage, Reaction } from '@bellhop/protocol';

import type { LiveAccount } from '../live/live-account.ts';
import { userSetting } from '../live/user-setting.ts';
import { EmojiPicture } from './emoji-picture.tsx';
import { charOf, imageOf } from './emoji.ts';
import type { MessageActions } from './message-actions.ts';
import { nameOfUser } from './names.ts';

interface ReactionsProps {
  readonly account: LiveAccount;
  readonly message: FetchedMessage;
  readonly actions: MessageActions;
}

/** Of more reactions the message shows numbers in place of names. */
const MAX_NAMED = 3;

/** The reactions of a message, one button per emoji: press it to join or to leave. */
export function Reactions({ account, message, actions }: ReactionsProps) {
  const state = account.state.value;
  if (!state || message.reactions.length === 0) return null;
  const showsNames =
    message.reactions.length <= MAX_NAMED && userSetting(account, 'display_emoji_reaction_users');
  const byEmoji = Map.groupBy(message.reactions, (one) => `${one.reaction_type} ${one.emoji_code}`);
  return (
    <div class="reactions">
      {[...byEmoji].map(([key, all]) => {
        const [first] = all;
        if (!first) return null;
        const isOwn = all.some(({ user_id }) => user_id === account.user_id);
        const names = all.map(({ user_id }) =>
          user_id === account.user_id ? 'you' : nameOfUser(state, user_id),
        );
        return (
          <button
            key={key}
            type="button"
            class="reaction"
            aria-pressed={isOwn}
            title={`${first.emoji_name}: ${names.join(', ')}`}
            onClick={() => actions.react(message, { ...first, user_id: account.user_id }, !isOwn)}
          >
            <EmojiText account={account} reaction={first} />
            {showsNames ? <span aria-hidden="true">{names.join(', ')}</span> : all.length}
            <span class="visually-hidden">
              {first.emoji_name}: {names.join(', ')}
            </span>
          </button>
        );
      })}
    </div>
  );
}

function EmojiText({ account, reaction }: { account: LiveAccount; reaction: Reaction }) {
  const state = account.state.value;
  const image = state && imageOf(state, reaction);
  const isPlain = userSetting(account, 'emojiset') === 'text';
  if (image && !isPlain) return <EmojiPicture {...image} />;
  return reaction.reaction_type === 'unicode_emoji' && !isPlain ? (
    <span class="emoji-text" aria-hidden="true">
      {charOf(reaction.emoji_code)}
    </span>
  ) : (
    <span aria-hidden="true">:{reaction.emoji_name}:</span>
  );
}
