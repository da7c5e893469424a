import { BotError } from '../bot-error.ts';
import type { Store } from '../stores/store.ts';
import type { ChoiceAnswer, PendingChoice } from './choice.ts';
import { KEPT_MS } from './ended-choice.ts';

/** The open questions of one conversation, and the ended ones. The oldest go when there are more. */
const MAX_PENDING = 20;
/** How often a change is tried while other messages change the same record. */
const MAX_ATTEMPTS = 5;
const DAY_MS = 86_400_000;

interface PendingChoicesOptions {
  readonly store: Store;
  readonly now: () => number;
}

/** The questions of a bot, in its store: a record for each conversation. */
export function pendingChoices({ store, now }: PendingChoicesOptions) {
  const read = async (key: string) => {
    const stored = await store.get(key);
    const all = (stored?.value ?? []) as unknown as readonly PendingChoice[];
    return { all, version: stored?.version ?? null };
  };
  const isOpen = ({ endedAt, expiresAt }: PendingChoice) =>
    endedAt === undefined && expiresAt > now();
  const isKnown = ({ endedAt, expiresAt }: PendingChoice) =>
    Math.max(endedAt ?? 0, expiresAt) + KEPT_MS > now();

  /** Changes the list of a conversation; `change` returns undefined if there is nothing to change. */
  async function update(
    key: string,
    change: (all: readonly PendingChoice[]) => readonly PendingChoice[] | undefined,
  ): Promise<boolean> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const { all, version } = await read(key);
      const changed = change(all);
      if (changed === undefined) return false;
      const [open, ended] = [changed.filter(isOpen), changed.filter((one) => !isOpen(one))];
      const value = [...ended.slice(-MAX_PENDING), ...open.slice(-MAX_PENDING)].map((one) => ({
        ...one,
      }));
      if ((await store.set(key, value, { expected: version, ttlMs: 31 * DAY_MS })) !== undefined)
        return true;
    }
    throw new BotError('store_failed', 'Too many messages change the choices of a conversation.');
  }

  /** Changes one question. Resolves with it, or with undefined if there is nothing to change. */
  async function updateOne(
    key: string,
    id: string,
    change: (asked: PendingChoice) => PendingChoice | undefined,
  ): Promise<PendingChoice | undefined> {
    let result: PendingChoice | undefined;
    await update(key, (all) => {
      const found = all.find((one) => one.id === id);
      const changed = (result = found && change(found));
      return changed && all.map((one) => (one === found ? changed : one));
    });
    return result;
  }

  return {
    isOpen,

    /** The questions that can still be answered or have ended not long ago, the newest first. */
    async known(key: string): Promise<readonly PendingChoice[]> {
      const { all } = await read(key);
      return all.filter(isKnown).toReversed();
    },

    add: (key: string, added: PendingChoice) =>
      update(key, (all) => [...all.filter(isKnown), added]),

    /** Keeps more about a question. */
    note: (key: string, id: string, more: Pick<PendingChoice, 'messageId' | 'isShown'>) =>
      updateOne(key, id, (asked) => ({ ...asked, ...more })),

    /** Notes that a person was told that they are late. False if they were told before. */
    tell: async (key: string, id: string, person: number): Promise<boolean> =>
      (await updateOne(key, id, ({ told = [], ...asked }) =>
        told.includes(person) ? undefined : { ...asked, told: [...told, person] },
      )) !== undefined,

    /** Marks a question as answered by a message. False if another message has answered it. */
    take: async (
      key: string,
      id: string,
      {
        answeredBy,
        answer,
      }: Required<Pick<PendingChoice, 'answeredBy'>> & { answer: ChoiceAnswer },
    ): Promise<boolean> =>
      (await updateOne(key, id, (asked) =>
        asked.endedAt !== undefined || (asked.answeredBy ?? answeredBy) !== answeredBy
          ? undefined
          : { ...asked, answeredBy, answer },
      )) !== undefined,

    /** Lets a question be answered again: the handler of its answer has failed. */
    giveBack: (key: string, id: string) =>
      updateOne(key, id, ({ answeredBy: _by, answer: _answer, ...asked }) => asked),

    /** Ends a question that was answered. Resolves with it. */
    end: (key: string, id: string) => updateOne(key, id, (asked) => ({ ...asked, endedAt: now() })),

    /** Ends the questions of a kind that this person has asked for. Resolves with them. */
    async withdraw(key: string, name: string, askedBy: number): Promise<readonly PendingChoice[]> {
      let withdrawn: readonly PendingChoice[] = [];
      await update(key, (all) => {
        const isMeant = (one: PendingChoice) =>
          isOpen(one) &&
          one.answeredBy === undefined &&
          one.name === name &&
          one.askedBy === askedBy;
        const after = all.map((one) => (isMeant(one) ? { ...one, endedAt: now() } : one));
        withdrawn = after.filter((one) => !all.includes(one));
        return withdrawn.length === 0 ? undefined : after;
      });
      return withdrawn;
    },

    /**
     * Ends a question whose time has passed. Undefined if the question does not exist, was answered, or
     * was withdrawn before.
     */
    expire: (key: string, id: string) =>
      updateOne(key, id, (asked) => {
        const { answeredBy, endedAt = asked.expiresAt } = asked;
        return answeredBy !== undefined || endedAt < asked.expiresAt
          ? undefined
          : { ...asked, endedAt };
      }),

    /** Removes a question that could not be asked. */
    remove: (key: string, id: string) => update(key, (all) => all.filter((one) => one.id !== id)),
  };
}
