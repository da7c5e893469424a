import type { FetchedMessage } from '@bellhop/protocol';

import { Icon } from '../controls/icon.tsx';
import type { LiveAccount } from '../live/live-account.ts';
import { conversationOf } from './feed-events.ts';
import { titleOf } from './names.ts';
import { hrefOf, type View } from './view.ts';

interface RecipientHeadProps {
  readonly account: LiveAccount;
  readonly view: View;
  readonly message: FetchedMessage;
}

/** The conversation of the messages below, in a view of several conversations. */
export function RecipientHead({ account, view, message }: RecipientHeadProps) {
  const state = account.state.value;
  if (!state || view.kind === 'topic' || view.kind === 'direct') return null;
  const of = viewOfMessage(message, account.user_id);
  return (
    <div class="recipient">
      <Icon name={of.kind === 'direct' ? 'user' : 'hash'} />
      <a class="clip" href={hrefOf(of, { near: String(message.id) })}>
        {titleOf(state, of, account.user_id).replace(/^#/, '')}
      </a>
    </div>
  );
}

/** The conversation of a message. */
export const viewOfMessage = (message: FetchedMessage, self: number): View =>
  message.stream_id === undefined
    ? { kind: 'direct', users: conversationOf(message, self).split(',').map(Number) }
    : { kind: 'topic', channel: message.stream_id, topic: message.subject };
