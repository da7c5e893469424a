import { BotError } from '../bot-error.ts';
import { jsonText } from '../stores/json-text.ts';
import type { JsonValue, Store } from '../stores/store.ts';
import { type Place, type Scope, scopeKey } from './scope-key.ts';
import { checkWith, type StandardSchema } from './standard-schema.ts';

export interface SessionOptions<T, P extends Place = Place> {
  /** What a session begins with: JSON only, no Date, Map or class. */
  readonly initial: () => T;
  /**
   * Checks, and may upgrade, what is found in the store: an older version of the bot may have
   * written it. It must accept what it puts out. Without one, what is found is taken as it is.
   */
  readonly schema?: StandardSchema<T>;
  readonly scope: Scope<P>;
  readonly store: Store;
  /** How long a session lives after its last change, in milliseconds. For good when left out. */
  readonly ttlMs?: number;
  /** Told of a session that `schema` refused; it begins anew. */
  readonly onInvalid?: (invalid: InvalidSession) => void;
  /** Tells apart sessions of one bot that keep different things; `session` unless told. */
  readonly name?: string;
}

export interface InvalidSession {
  readonly key: string;
  readonly problems: readonly string[];
}

export interface Session<T> {
  /** To be changed in place or replaced. */
  value: T;
  /**
   * Writes the value if it has changed, and tells whether it had. BotError `session_conflict` when
   * another has written, or the life ended, since this session was loaded or saved.
   */
  save(): Promise<boolean>;
}

export interface Sessions<T, P extends Place = Place> {
  /** The key of the session that belongs to a place. */
  key(place: P): string;
  load(key: string): Promise<Session<T>>;
  /**
   * Changes a session by a function that changes the value or returns another one. It runs again
   * on the newest value whenever another was first, so it must do nothing else. Returns the value.
   */
  update(key: string, change: (value: T) => T | void): Promise<T>;
  /** Forgets a session: the next load begins anew. */
  clear(key: string): Promise<void>;
}

const maxAttempts = 100;

/** What a bot remembers between messages, each part of it for one scope. */
export function sessions<T, P extends Place = Place>(
  options: SessionOptions<T, P>,
): Sessions<T, P> {
  const { scope, initial, store, ttlMs, schema, onInvalid, name = 'session' } = options;

  // A copy: an `initial` that returns the same object twice must not join two sessions.
  const begin = (): T => JSON.parse(jsonText(initial())) as T;

  async function read(key: string, found: JsonValue): Promise<T> {
    if (schema === undefined) return found as T;
    const checked = await checkWith(schema, structuredClone(found));
    if (checked.problems === undefined) return checked.value;
    onInvalid?.({ key, problems: checked.problems });
    return begin();
  }

  async function load(key: string): Promise<Session<T>> {
    const found = await store.get(key);
    let version = found?.version ?? null;
    const value = found === undefined ? begin() : await read(key, found.value);
    let savedText = jsonText(found === undefined ? value : found.value);
    let saving: Promise<unknown> = Promise.resolve();

    async function save(): Promise<boolean> {
      const text = jsonText(session.value);
      if (text === savedText) return false;
      const life = ttlMs === undefined ? {} : { ttlMs };
      const json = JSON.parse(text) as JsonValue;
      const written = await store.set(key, json, { expected: version, ...life });
      if (written === undefined) throw conflict(key);
      version = written;
      savedText = text;
      return true;
    }
    const session: Session<T> = {
      value,
      save() {
        const mine = saving.then(save, save);
        saving = mine;
        return mine;
      },
    };
    return session;
  }

  return {
    key: (place) => scopeKey(name, scope, place),
    load,
    async update(key, change) {
      for (let attempt = 0; attempt < maxAttempts; attempt++) {
        const session = await load(key);
        session.value = change(session.value) ?? session.value;
        try {
          await session.save();
          return session.value;
        } catch (error) {
          if (!(error instanceof BotError && error.code === 'session_conflict')) throw error;
        }
      }
      throw conflict(key);
    },
    clear: (key) => store.delete(key),
  };
}

const conflict = (key: string) =>
  new BotError(
    'session_conflict',
    `The session ${key} was changed by another message meanwhile. Change it by \`update\`, or let ` +
      'messages that share it wait for each other.',
  );
