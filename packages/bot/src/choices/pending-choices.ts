import { BotError } from '../bot-error.ts';
import type { Store } from '../stores/store.ts';
import type { PendingChoice } from './choice.ts';

/** The questions of one conversation that wait for an answer. The oldest go when there are more. */
const MAX_PENDING = 20;
/** How often a change is tried while other messages change the same record. */
const MAX_ATTEMPTS = 5;
const DAY_MS = 86_400_000;

interface PendingChoicesOptions {
  readonly store: Store;
  readonly now: () => number;
}

/** The questions of a bot that wait for an answer, in its store: a record for each conversation. */
export function pendingChoices({ store, now }: PendingChoicesOptions) {
  const read = async (key: string) => {
    const stored = await store.get(key);
    const all = (stored?.value ?? []) as unknown as readonly PendingChoice[];
    return { all, version: stored?.version ?? null };
  };

  /** Changes the list of a conversation; `change` returns undefined if there is nothing to change. */
  async function update(
    key: string,
    change: (all: readonly PendingChoice[]) => readonly PendingChoice[] | undefined,
  ): Promise<boolean> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const { all, version } = await read(key);
      const changed = change(all);
      if (changed === undefined) return false;
      const value = changed.slice(-MAX_PENDING).map((one) => ({ ...one }));
      if ((await store.set(key, value, { expected: version, ttlMs: 31 * DAY_MS })) !== undefined)
        return true;
    }
    throw new BotError('store_failed', 'Too many messages change the choices of a conversation.');
  }

  return {
    /** The questions that can still be answered, the newest first. */
    async open(key: string): Promise<readonly PendingChoice[]> {
      const { all } = await read(key);
      return all.filter(({ expiresAt }) => expiresAt > now()).toReversed();
    },

    add: (key: string, added: PendingChoice) =>
      update(key, (all) => [...all.filter(({ expiresAt }) => expiresAt > now()), added]),

    /** Marks a question as answered by a message. False if another message has answered it. */
    take: (key: string, id: string, messageId: number | string) =>
      update(key, (all) => {
        const found = all.find((one) => one.id === id);
        if (found === undefined || (found.answeredBy ?? messageId) !== messageId) return undefined;
        return all.map((one) => (one === found ? { ...one, answeredBy: messageId } : one));
      }),

    /** Removes the questions of a kind that this person has asked for. */
    removeOf: (key: string, name: string, askedBy: number) =>
      update(key, (all) => {
        const others = all.filter((one) => one.name !== name || one.askedBy !== askedBy);
        return others.length === all.length ? undefined : others;
      }),

    /** Lets a question be answered again: the handler of its answer has failed. */
    giveBack: (key: string, id: string) =>
      update(key, (all) =>
        all.map(({ answeredBy, ...one }) =>
          one.id === id || answeredBy === undefined ? one : { ...one, answeredBy },
        ),
      ),

    /**
     * Removes a question. False if the question does not exist, or if `unanswered` is true and it
     * has been answered.
     */
    remove: (key: string, id: string, { unanswered = false } = {}) =>
      update(key, (all) => {
        const found = all.find((one) => one.id === id);
        if (!found || (unanswered && found.answeredBy !== undefined)) return undefined;
        return all.filter((one) => one !== found);
      }),
  };
}
