import { type FetchedMessage, type Reaction, RESOLVED_MARK } from '@bellhop/protocol';
import { type Signal, signal } from '@preact/signals';

import { toast, toastError } from '../controls/toasts.tsx';
import type { LiveAccount } from '../live/live-account.ts';
import { destinationOf } from './compose/destination.ts';
import { outboxOf } from './compose/outbox.ts';
import type { Feed } from './feed.ts';
import { viewOfMessage } from './recipient-head.tsx';

/** A dialog about a message. */
export interface MessageDialog {
  readonly kind: 'history' | 'source' | 'move' | 'delete' | 'forward' | 'receipts' | 'reminder';
  readonly message: FetchedMessage;
}

/** The actions on the messages of a conversation. Errors are shown as toasts. */
export interface MessageActions {
  /** The message under the pointer or with the focus, which shows its buttons. */
  readonly active: Signal<number | undefined>;
  /** The message that is being edited, also while it is out of sight. */
  readonly editing: Signal<number | undefined>;
  readonly dialog: Signal<MessageDialog | undefined>;
  readonly react: (message: FetchedMessage, reaction: Reaction, isAdded: boolean) => void;
  readonly star: (message: FetchedMessage) => void;
  readonly markUnread: (message: FetchedMessage) => void;
  /** Resolves the topic of a message, or opens it again. */
  readonly resolve: (message: FetchedMessage) => void;
  /** Sends a reply to the conversation of a message; returns its `local_id`. */
  readonly sendReply: (message: FetchedMessage, content: string) => string | undefined;
  readonly takePart: (message: FetchedMessage, part: object) => void;
}

const editing = new WeakMap<LiveAccount, Signal<number | undefined>>();

/** An edit goes on after another conversation was looked at, and after its topic has moved. */
function editingOf(account: LiveAccount): Signal<number | undefined> {
  const known = editing.get(account) ?? signal(undefined);
  editing.set(account, known);
  return known;
}

export const isResolved = (topic: string): boolean => topic.startsWith(RESOLVED_MARK);

export function messageActions(account: LiveAccount, feed: Feed): MessageActions {
  const { client, user_id } = account;
  const failing = (call: Promise<unknown>) => void call.catch(toastError);
  /** Shows a change at once; without the event that confirms it, the messages are fetched again. */
  const atOnce = (event: Parameters<Feed['apply']>[0], call: Promise<unknown>) => {
    feed.apply(event);
    call.catch((error: unknown) => {
      toastError(error);
      feed.refresh();
    });
  };
  const setFlag = ({ id }: FetchedMessage, flag: 'starred' | 'read', op: 'add' | 'remove') =>
    atOnce(
      { type: 'update_message_flags', op, flag, messages: [id] } as never,
      client.messages.setFlag({ messages: [id], op, flag }),
    );
  return {
    active: signal(undefined),
    editing: editingOf(account),
    dialog: signal(undefined),
    react: ({ id }, reaction, isAdded) => {
      const { emoji_name, emoji_code, reaction_type } = reaction;
      const params = { message_id: id, emoji_name, emoji_code, reaction_type };
      const op = isAdded ? 'add' : 'remove';
      atOnce(
        { type: 'reaction', op, ...params, user_id } as never,
        isAdded ? client.reactions.add(params) : client.reactions.remove(params),
      );
    },
    star: (message) =>
      setFlag(message, 'starred', message.flags.includes('starred') ? 'remove' : 'add'),
    markUnread: (message) => setFlag(message, 'read', 'remove'),
    resolve: ({ id, subject }) => {
      const isOpen = !isResolved(subject);
      const topic = isOpen ? RESOLVED_MARK + subject : subject.slice(RESOLVED_MARK.length);
      const params = { message_id: id, topic, propagate_mode: 'change_all' } as const;
      failing(
        client.messages
          .edit({ ...params, send_notification_to_new_thread: true })
          .then(() => toast(isOpen ? 'Topic resolved.' : 'Topic unresolved.')),
      );
    },
    sendReply: (message, content) => {
      const view = viewOfMessage(message, user_id);
      const to = destinationOf(view, message.subject);
      return to && outboxOf(account).send(to, content);
    },
    takePart: ({ id }, part) =>
      failing(
        client.submessages.add({
          message_id: id,
          msg_type: 'widget',
          content: JSON.stringify(part),
        }),
      ),
  };
}
