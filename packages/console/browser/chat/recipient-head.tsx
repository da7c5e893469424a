import type { FetchedMessage } from '@bellhop/protocol';

import { Icon } from '../controls/icon.tsx';
import type { LiveAccount } from '../live/live-account.ts';
import { conversationOf } from './feed-events.ts';
import { hrefOf } from './href-of.ts';
import { titleOf } from './names.ts';
import type { View } from './view.ts';

interface RecipientHeadProps {
  readonly account: LiveAccount;
  readonly view: View;
  /** The conversation of the messages below. */
  readonly of: View;
  /** The ID of the first one. */
  readonly near?: number;
}

/** The conversation of the messages below, in a view of several conversations. */
export function RecipientHead({ account, view, of, near }: RecipientHeadProps) {
  const state = account.state.value;
  if (!state || view.kind === 'topic' || view.kind === 'direct') return null;
  return (
    <div class="recipient">
      <Icon name={of.kind === 'direct' ? 'user' : 'hash'} />
      <a class="clip" href={hrefOf(of, { near: near === undefined ? undefined : String(near) })}>
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
