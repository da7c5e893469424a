import { IconButton } from '../../controls/button.tsx';
import { Empty } from '../../controls/empty.tsx';
import { toastError } from '../../controls/toasts.tsx';
import type { LiveAccount } from '../../live/live-account.ts';
import { isSandbox } from '../../session/server-kind.ts';
import { hrefOf } from '../href-of.ts';
import { Link } from '../link.tsx';
import { markAllRead } from '../mark-all-read.ts';
import { HomeHead } from './home-head.tsx';
import { inboxGroups } from './inbox-groups.ts';

/** The conversations with unread messages. */
export function Inbox({ account }: { readonly account: LiveAccount }) {
  const state = account.state.value;
  if (!state) return null;
  const groups = inboxGroups(state, account.user_id);
  return (
    <section class="home" aria-label="Inbox">
      <HomeHead title="Inbox">
        {groups.length > 0 && (
          <IconButton
            icon="check-check"
            label="Mark all as read"
            onClick={() => void markAllRead(account, { kind: 'all' }).catch(toastError)}
          />
        )}
      </HomeHead>
      {groups.length === 0 && <NothingUnread />}
      {groups.map(({ name, folder, view, rows }) => (
        <section key={name} class="home-group" aria-label={name}>
          <h3>
            {view ? <a href={hrefOf(view)}>{name}</a> : name}
            {folder !== undefined && <span class="muted"> {folder}</span>}
          </h3>
          <ul role="list">
            {rows.map((row) => (
              <li key={hrefOf(row.view)} class="row">
                <Link view={row.view} isShown={() => false} count={row.count}>
                  {row.name}
                </Link>
                <IconButton
                  icon="check"
                  label={`Mark as read: ${row.name}`}
                  onClick={() => void markAllRead(account, row.view).catch(toastError)}
                />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </section>
  );
}

const NothingUnread = () =>
  isSandbox() ? (
    <Empty icon="inbox" title="Nothing unread" command="npx bellhop try message">
      <p>
        Unread messages appear here. This command sends a message to the echo bot and shows its
        reply:
      </p>
    </Empty>
  ) : (
    <Empty icon="inbox" title="Nothing unread">
      <p>Unread messages appear here. Your channels and direct messages are in the list.</p>
    </Empty>
  );
