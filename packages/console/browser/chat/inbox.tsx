import type { ComponentChildren } from 'preact';

import type { LiveAccount } from '../live/live-account.ts';
import { Link } from './link.tsx';
import { titleOf } from './names.ts';
import { unreadConversations } from './unread-conversations.ts';

interface InboxProps {
  readonly account: LiveAccount;
  /** Shown if there are none. */
  readonly none: ComponentChildren;
}

const MAX_SHOWN = 100;
const never = () => false;

/** The conversations with unread messages, where no conversation is chosen. */
export function Inbox({ account, none }: InboxProps) {
  const { value: state } = account.state;
  const all = state ? unreadConversations(state, account.user_id) : [];
  if (!state || all.length === 0) return <>{none}</>;
  return (
    <section class="inbox" aria-label="Unread conversations">
      <h2>Unread conversations</h2>
      <ul role="list">
        {all.slice(0, MAX_SHOWN).map(({ view, count }) => {
          const title = titleOf(state, view, account.user_id);
          return (
            <li key={title}>
              <Link
                view={view}
                isShown={never}
                icon={view.kind === 'direct' ? 'user' : 'hash'}
                count={count}
              >
                {title.replace(/^#/, '')}
              </Link>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
