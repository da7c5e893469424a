import { BotError } from '../bot-error.ts';
import type { Warn } from '../hooks.ts';
import { jsonText } from '../stores/json-text.ts';
import type { JsonValue, Store } from '../stores/store.ts';
import { type MessageOrigin, type Scope, scopeKey } from './scope-key.ts';
import { checkWith, type StandardSchema } from './standard-schema.ts';

export interface SessionOptions<T, O extends MessageOrigin = MessageOrigin> {
  /** Returns the value of a new session: JSON only, no Date, Map or class. */
  readonly initial: () => T;
  /**
   * Checks, and may upgrade, the stored value: an older version of the bot may have written it. It
   * must accept its own output. Without a schema the stored value is used unchecked.
   */
  readonly schema?: StandardSchema<T>;
  readonly scope: Scope<O>;
  readonly store: Store;
  /** How long a session is kept after its last change, in milliseconds; default: forever. */
  readonly ttlMs?: number;
  /** Part of the key, so that one bot may have several kinds of sessions; default: `session`. */
  readonly name?: string;
}

export interface Session<T> {
  /** May be changed in place or replaced. */
  value: T;
  /**
   * Writes the value if it has changed. Resolves with true if it was written. Rejects with BotError
   * `session_conflict` if the stored session was written or expired after it was loaded.
   */
  save(): Promise<boolean>;
  /** Writes the value before the last save again, unless another message has changed it since. */
  revert(): Promise<void>;
}

export interface Sessions<T, O extends MessageOrigin = MessageOrigin> {
  /** The key of the session for the origin of a message. */
  key(origin: O): string;
  /** Warns if `schema` refuses the stored value; the session begins anew with `initial`. */
  load(key: string, warn?: Warn): Promise<Session<T>>;
}

/** The sessions of a bot: one value for each scope, kept in its store. */
export function sessions<T, O extends MessageOrigin = MessageOrigin>(
  options: SessionOptions<T, O>,
): Sessions<T, O> {
  const { scope, initial, store, ttlMs, schema, name = 'session' } = options;

  // A copy: two sessions must not share the object that `initial` returns.
  const initialValue = (): T => JSON.parse(jsonText(initial())) as T;

  async function read(found: JsonValue, warn?: Warn): Promise<T> {
    if (schema === undefined) return found as T;
    const checked = await checkWith(schema, structuredClone(found));
    if (checked.problems === undefined) return checked.value;
    const problems = checked.problems.join('; ');
    const message = `A session did not fit its schema, and begins anew: ${problems}`;
    warn?.('stored_state_dropped', message);
    return initialValue();
  }

  async function load(key: string, warn?: Warn): Promise<Session<T>> {
    const found = await store.get(key);
    let version = found?.version ?? null;
    const value = found === undefined ? initialValue() : await read(found.value, warn);
    let savedText = jsonText(found === undefined ? value : found.value);
    let earlierText = savedText;
    let saving: Promise<unknown> = Promise.resolve();

    async function save(): Promise<boolean> {
      const text = jsonText(session.value);
      if (text === savedText) return false;
      const expiry = ttlMs === undefined ? {} : { ttlMs };
      const json = JSON.parse(text) as JsonValue;
      const written = await store.set(key, json, { expected: version, ...expiry });
      if (written === undefined) throw conflict(key);
      version = written;
      earlierText = savedText;
      savedText = text;
      return true;
    }

    async function revert(): Promise<void> {
      const expiry = ttlMs === undefined ? {} : { ttlMs };
      const json = JSON.parse(earlierText) as JsonValue;
      version = (await store.set(key, json, { expected: version, ...expiry })) ?? version;
      savedText = earlierText;
    }
    const session: Session<T> = {
      value,
      save() {
        const saved = saving.then(save, save);
        saving = saved;
        return saved;
      },
      revert,
    };
    return session;
  }

  return {
    key: (origin) => scopeKey(name, scope, origin),
    load,
  };
}

const conflict = (key: string) =>
  new BotError('session_conflict', `Another message changed the session ${key} at the same time.`);
