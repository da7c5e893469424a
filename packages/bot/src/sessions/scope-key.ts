import { createHash } from 'node:crypto';

/** The bot, conversation and sender of a message; scopes are made of them. */
export interface MessageOrigin {
  readonly botEmail: string;
  /** Equal for all messages of one conversation: a channel topic, or a set of users. */
  readonly conversation: string;
  readonly senderId: number;
}

/**
 * The users and conversations that share a state: `conversation` all users of a conversation,
 * `user` one user in all conversations, `user-in-conversation` one user in one conversation,
 * `channel` all topics of a channel (in direct messages the conversation), `bot` all users of the
 * bot, or all messages for which a function returns the same text.
 */
export type Scope<O extends MessageOrigin = MessageOrigin> =
  | 'conversation'
  | 'user'
  | 'user-in-conversation'
  | 'channel'
  | 'bot'
  | ((origin: O) => string);

/**
 * The store key for a kind of state (`session`, `dialog`, ...) and the origin of a message: parts joined
 * by slashes, at most 400 characters. Different bots, kinds and scopes have different keys.
 */
export function scopeKey<O extends MessageOrigin>(
  kind: string,
  scope: Scope<O>,
  origin: O,
): string {
  const name = typeof scope === 'function' ? 'own' : scope;
  const parts = [kind, origin.botEmail, name, ...partsOf(scope, origin)];
  const key = parts.map((part) => encodeURIComponent(part.toWellFormed())).join('/');
  if (key.length <= 400) return key;
  return `${key.slice(0, 330)}~${createHash('sha256').update(key).digest('hex')}`;
}

function partsOf<O extends MessageOrigin>(scope: Scope<O>, origin: O): readonly string[] {
  if (typeof scope === 'function') return [scope(origin)];
  const sender = String(origin.senderId);
  switch (scope) {
    case 'conversation':
      return [origin.conversation];
    case 'user':
      return [sender];
    case 'user-in-conversation':
      return [origin.conversation, sender];
    case 'channel':
      return [origin.conversation.replace(/^(c\d+):[^]*$/, '$1')];
    case 'bot':
      return [];
  }
}
