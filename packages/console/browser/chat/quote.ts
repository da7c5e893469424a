import type { FetchedMessage } from '@bellhop/protocol';

import type { LiveAccount } from '../live/live-account.ts';
import { go } from '../navigation/location.ts';
import { destinationOf } from './compose/destination.ts';
import { insertInto } from './compose/insertion.ts';
import { fragmentOf } from './fragments.ts';
import { hrefOf } from './href-of.ts';
import { quoteText } from './quote-text.ts';
import { viewOfMessage } from './recipient-head.tsx';
import type { View } from './view.ts';

/** The text of a message as its sender wrote it, in Markdown. */
export async function markdownOf({ client }: LiveAccount, { id }: FetchedMessage): Promise<string> {
  const params = { message_id: id, apply_markdown: false, allow_empty_topic_name: true };
  return (await client.messages.fetchOne(params)).message.content;
}

/** The Markdown of a quotation of a message. */
export async function quotationOf(account: LiveAccount, message: FetchedMessage): Promise<string> {
  const state = account.state.peek();
  const content = await markdownOf(account, message);
  const place = state ? fragmentOf(participantsView(message, account.user_id), state) : '';
  return quoteText({
    name: message.sender_full_name,
    user_id: message.sender_id,
    link: `/#${place}/near/${message.id}`,
    content,
  });
}

/** Goes to the conversation of a message, and puts a quotation of it into the message box. */
export async function quoteMessage(account: LiveAccount, message: FetchedMessage): Promise<void> {
  const text = await quotationOf(account, message);
  const view = viewOfMessage(message, account.user_id);
  const to = destinationOf(view, message.subject);
  if (!to) return;
  go(hrefOf(view));
  insertInto(account, to, text);
}

/** The conversation of a message for a link: all participants, since another one may follow it. */
function participantsView(message: FetchedMessage, self: number): View {
  const view = viewOfMessage(message, self);
  return view.kind === 'direct'
    ? { kind: 'direct', users: [...new Set([...view.users, self])] }
    : view;
}
