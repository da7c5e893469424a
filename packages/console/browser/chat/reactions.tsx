import type { FetchedMessage, Reaction } from '@bellhop/protocol';

import type { LiveAccount } from '../live/live-account.ts';
import { charOf } from './emoji.ts';
import type { MessageActions } from './message-actions.ts';
import { nameOfUser } from './names.ts';
import { strings } from './strings.ts';

interface ReactionsProps {
  readonly account: LiveAccount;
  readonly message: FetchedMessage;
  readonly actions: MessageActions;
}

/** The reactions of a message, one button per emoji: press it to join or to leave. */
export function Reactions({ account, message, actions }: ReactionsProps) {
  const state = account.state.value;
  if (!state || message.reactions.length === 0) return null;
  const byEmoji = Map.groupBy(message.reactions, (one) => `${one.reaction_type} ${one.emoji_code}`);
  return (
    <div class="reactions">
      {[...byEmoji].map(([key, all]) => {
        const [first] = all;
        if (!first) return null;
        const isOwn = all.some(({ user_id }) => user_id === account.user_id);
        const names = all.map(({ user_id }) =>
          user_id === account.user_id ? strings.you : nameOfUser(state, user_id),
        );
        return (
          <button
            key={key}
            type="button"
            class="reaction"
            aria-pressed={isOwn}
            title={strings.reaction(first.emoji_name, names.join(', '))}
            onClick={() => actions.react(message, { ...first, user_id: account.user_id }, !isOwn)}
          >
            <EmojiText {...first} />
            {all.length}
            <span class="visually-hidden">
              {strings.reaction(first.emoji_name, names.join(', '))}
            </span>
          </button>
        );
      })}
    </div>
  );
}

const EmojiText = ({ reaction_type, emoji_code, emoji_name }: Reaction) =>
  reaction_type === 'unicode_emoji' ? (
    <span class="emoji-text" aria-hidden="true">
      {charOf(emoji_code)}
    </span>
  ) : (
    <span aria-hidden="true">:{emoji_name}:</span>
  );
