import type { MessageId, UserId } from '@bellhop/protocol';

import type { Trigger } from '../delivery.ts';
import type { Conversation, Destination } from '../rest/conversation.ts';
import type { Rest } from '../rest/rest.ts';

/** An action of a bot, or a delivery that it took. */
export type AuditAction =
  /** A delivery reached a handler; `userId` is undefined for a deletion. */
  | {
      readonly action: 'received';
      readonly trigger: Trigger;
      readonly messageId: MessageId;
      readonly userId: UserId | undefined;
      readonly conversation: Conversation;
    }
  /** The bot replied to a message in the answer to the webhook. */
  | { readonly action: 'answered'; readonly messageId: MessageId; readonly content: string }
  | {
      readonly action: 'posted';
      readonly messageId: MessageId;
      readonly to: Destination;
      readonly content: string;
    }
  | { readonly action: 'edited'; readonly messageId: MessageId; readonly content: string }
  | { readonly action: 'deleted'; readonly messageId: MessageId }
  | {
      readonly action: 'reacted' | 'unreacted';
      readonly messageId: MessageId;
      readonly emoji: string;
    }
  | { readonly action: 'uploaded'; readonly name: string; readonly url: string }
  | {
      readonly action: 'moved';
      readonly messageId: MessageId;
      readonly from: Conversation;
      readonly to: Conversation;
    };

/** An entry of the audit log of a bot. */
export type AuditRecord = AuditAction & {
  readonly botEmail: string;
  /** Milliseconds since 1970. */
  readonly at: number;
};

/** Records an action of a bot. An error of the audit log does not affect the bot. */
export type RecordAction = (action: AuditAction) => void;

/** Records successful calls of the REST API. Calls of `client` are not recorded. */
export function auditedRest(rest: Rest, record: RecordAction | undefined): Rest {
  if (record === undefined) return rest;
  const audited: Rest = {
    typing: (conversation, op, options) => rest.typing(conversation, op, options),
    history: (conversation, range) => rest.history(conversation, range),
    attachments: (content) => rest.attachments(content),
    user: (who) => rest.user(who),
    get client() {
      return rest.client;
    },
    async post(message, to, options) {
      const posted = await rest.post(message, to, options);
      const content = typeof message === 'string' ? message : message.content;
      record({ action: 'posted', messageId: posted.id, to, content });
      return {
        id: posted.id,
        edit: (changed, how) => audited.edit(posted.id, changed, how),
        remove: () => audited.remove(posted.id),
        react: (emojiName) => audited.react(posted.id, emojiName),
      };
    },
    async edit(messageId, content, options) {
      await rest.edit(messageId, content, options);
      record({ action: 'edited', messageId, content });
    },
    async remove(messageId) {
      await rest.remove(messageId);
      record({ action: 'deleted', messageId });
    },
    async react(messageId, emoji) {
      await rest.react(messageId, emoji);
      record({ action: 'reacted', messageId, emoji });
    },
    async unreact(messageId, emoji) {
      await rest.unreact(messageId, emoji);
      record({ action: 'unreacted', messageId, emoji });
    },
    async upload(file, options) {
      const uploaded = await rest.upload(file, options);
      record({ action: 'uploaded', name: file.name, url: uploaded.url });
      return uploaded;
    },
    async moveTopic(messageId, from, place) {
      const to = await rest.moveTopic(messageId, from, place);
      record({ action: 'moved', messageId, from, to });
      return to;
    },
  };
  return audited;
}
