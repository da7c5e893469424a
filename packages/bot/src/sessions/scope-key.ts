import { createHash } from 'node:crypto';

/** Where a message was said, as far as state is kept by it. */
export interface Place {
  readonly bot_email: string;
  /** The same text for every message of one conversation: a channel and topic, or its people. */
  readonly conversation: string;
  readonly sender_id: number;
}

/**
 * Who shares a piece of state: everybody in the conversation, one user wherever they write, one
 * user in one conversation, everybody who uses the bot; or all places with the same text.
 */
export type Scope<P extends Place = Place> =
  | 'conversation'
  | 'user'
  | 'user-in-conversation'
  | 'bot'
  | ((place: P) => string);

/**
 * The key in a store for the state of a kind (`session`, `dialog`, ...) at a place: parts joined by
 * slashes, at most 400 characters. Other bots, kinds and scopes never have the same key.
 */
export function scopeKey<P extends Place>(kind: string, scope: Scope<P>, place: P): string {
  const name = typeof scope === 'function' ? 'own' : scope;
  const parts = [kind, place.bot_email, name, ...partsOf(scope, place)];
  const key = parts.map((part) => encodeURIComponent(part.toWellFormed())).join('/');
  if (key.length <= 400) return key;
  return `${key.slice(0, 330)}~${createHash('sha256').update(key).digest('hex')}`;
}

function partsOf<P extends Place>(scope: Scope<P>, place: P): readonly string[] {
  if (typeof scope === 'function') return [scope(place)];
  const sender = String(place.sender_id);
  switch (scope) {
    case 'conversation':
      return [place.conversation];
    case 'user':
      return [sender];
    case 'user-in-conversation':
      return [place.conversation, sender];
    case 'bot':
      return [];
  }
}
