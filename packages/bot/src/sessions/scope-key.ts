import { createHash } from 'node:crypto';

/** Where a message was said, as far as state is kept by it. */
export interface MessageOrigin {
  readonly bot_email: string;
  /** The same text for every message of one conversation: a channel and topic, or its people. */
  readonly conversation: string;
  readonly sender_id: number;
}

/**
 * Who shares a piece of state: everybody in the conversation, one user wherever they write, one
 * user in one conversation, everybody who uses the bot; or all origins with the same text.
 */
export type Scope<O extends MessageOrigin = MessageOrigin> =
  | 'conversation'
  | 'user'
  | 'user-in-conversation'
  | 'bot'
  | ((origin: O) => string);

/**
 * The key in a store for the state of a kind (`session`, `dialog`, ...) of an origin: parts joined by
 * slashes, at most 400 characters. Other bots, kinds and scopes never have the same key.
 */
export function scopeKey<O extends MessageOrigin>(
  kind: string,
  scope: Scope<O>,
  origin: O,
): string {
  const name = typeof scope === 'function' ? 'own' : scope;
  const parts = [kind, origin.bot_email, name, ...partsOf(scope, origin)];
  const key = parts.map((part) => encodeURIComponent(part.toWellFormed())).join('/');
  if (key.length <= 400) return key;
  return `${key.slice(0, 330)}~${createHash('sha256').update(key).digest('hex')}`;
}

function partsOf<O extends MessageOrigin>(scope: Scope<O>, origin: O): readonly string[] {
  if (typeof scope === 'function') return [scope(origin)];
  const sender = String(origin.sender_id);
  switch (scope) {
    case 'conversation':
      return [origin.conversation];
    case 'user':
      return [sender];
    case 'user-in-conversation':
      return [origin.conversation, sender];
    case 'bot':
      return [];
  }
}
