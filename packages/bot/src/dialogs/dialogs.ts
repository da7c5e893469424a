import { BotError } from '../bot-error.ts';
import { type MessageOrigin, type Scope, scopeKey } from '../sessions/scope-key.ts';
import type { JsonValue, Store } from '../stores/store.ts';
import { answerDialog, beginDialog, type Turn } from './dialog-engine.ts';
import { type DialogState, readDialogState } from './dialog-state.ts';
import type { AnyAnswers, Dialog } from './dialog.ts';

export interface DialogsOptions<O extends MessageOrigin = MessageOrigin> {
  readonly store: Store;
  /** Who is in a dialog: one user in one conversation unless told. One dialog at a time for each. */
  readonly scope?: Scope<O>;
  readonly now?: () => number;
  /** Told of what was found and cannot go on: its dialog is no longer in the code. */
  readonly onDropped?: (dropped: DroppedDialog) => void;
}

export interface DroppedDialog {
  readonly key: string;
  /** Undefined where what was found is no dialog at all. */
  readonly dialog: string | undefined;
}

/** A message that may belong to a dialog. */
export interface DialogMessage<C, O extends MessageOrigin = MessageOrigin> {
  readonly origin: O;
  readonly ctx: C;
  /** Names the message, the same when it is delivered again: its id. */
  readonly by?: string;
}

export type DialogOutcome<R> =
  /** No dialog is under way: the message means something else. */
  | { readonly kind: 'none' }
  /** A question, the first, the next or the same again. */
  | { readonly kind: 'asked'; readonly dialog: string; readonly reply: string }
  /** Everything is answered: call `done`, which rejects as the dialog's own does. */
  | { readonly kind: 'finished'; readonly dialog: string; readonly done: () => Promise<R> }
  | { readonly kind: 'cancelled'; readonly dialog: string; readonly reply: string }
  /** To be said before whatever else the message brings: it was no answer. */
  | { readonly kind: 'expired'; readonly dialog: string; readonly reply: string }
  /** Another answer came first: this one was not taken. What is asked now, if anything is. */
  | { readonly kind: 'overtaken'; readonly reply: string | undefined };

export interface Dialogs<C, R, O extends MessageOrigin = MessageOrigin> {
  add(dialog: Dialog<C, R>): void;
  /**
   * Begins a dialog in place of any other, with the texts of answers that are known already.
   * BotError `config_invalid` for a name that was not added.
   */
  begin(
    name: string,
    message: DialogMessage<C, O> & { readonly texts?: Readonly<Record<string, string>> },
  ): Promise<DialogOutcome<R>>;
  /** Takes a message as an answer, if a dialog waits for one. */
  answer(message: DialogMessage<C, O> & { readonly text: string }): Promise<DialogOutcome<R>>;
  /** The dialog that waits for an answer, and its step. */
  active(origin: O): Promise<{ readonly dialog: string; readonly step: string } | undefined>;
  /** Leaves whatever dialog is under way. */
  end(origin: O): Promise<void>;
}

/** An expired dialog is kept for a day more, to be announced. */
const announceMs = 86_400_000;

/**
 * The dialogs of a bot, kept in a store between messages. Of two answers at once only one is taken.
 * When the process dies after an answer was taken, the same message delivered again goes on where
 * it was: the question is repeated, or `done` runs again.
 */
export function dialogs<C, R, O extends MessageOrigin = MessageOrigin>({
  store,
  scope = 'user-in-conversation',
  now = Date.now,
  onDropped,
}: DialogsOptions<O>): Dialogs<C, R, O> {
  const byName = new Map<string, Dialog<C, R>>();
  const keyOf = (origin: O) => scopeKey('dialog', scope, origin);

  const keep = (key: string, state: DialogState, expected?: string) =>
    store.set(key, { ...state } satisfies JsonValue, {
      ttlMs: state.expires_at - now() + announceMs,
      ...(expected !== undefined && { expected }),
    });

  /** Takes away this version and no later one: a null that is gone in a moment. */
  const drop = (key: string, expected: string) => store.set(key, null, { expected, ttlMs: 1 });

  async function find(key: string) {
    const stored = await store.get(key);
    if (stored === undefined || stored.value === null) return undefined;
    const state = readDialogState(stored.value);
    const dialog = byName.get(state?.dialog ?? '');
    if (state !== undefined && dialog !== undefined) {
      return { dialog, state, version: stored.version };
    }
    onDropped?.({ key, dialog: state?.dialog });
    await drop(key, stored.version);
    return undefined;
  }

  /** May be done again by whoever has to: the dialog is over after the first time. */
  const finished = (
    dialog: Dialog<C, R>,
    { ctx, answers, clear }: { ctx: C; answers: AnyAnswers; clear: () => Promise<unknown> },
  ): DialogOutcome<R> => ({
    kind: 'finished',
    dialog: dialog.name,
    async done() {
      try {
        return await dialog.done(ctx, answers);
      } finally {
        await clear();
      }
    },
  });

  /** What to say to an answer that came second. */
  async function overtaken(key: string, { ctx, by }: DialogMessage<C, O>) {
    const found = await find(key);
    if (found === undefined || found.state.step === null) return undefined;
    const texts = found.state.answers;
    const turn: Turn = await beginDialog(found.dialog, { ctx, by, now: now(), texts });
    return turn.kind === 'asked' ? turn.reply : undefined;
  }

  return {
    add(dialog) {
      if (byName.has(dialog.name)) {
        throw new BotError('config_invalid', `There is a dialog "${dialog.name}" already.`);
      }
      byName.set(dialog.name, dialog);
    },

    async begin(name, { origin, ctx, by, texts = {} }) {
      const dialog = byName.get(name);
      if (dialog === undefined) {
        throw new BotError('config_invalid', `There is no dialog "${name}": add it first.`);
      }
      const key = keyOf(origin);
      const turn = await beginDialog(dialog, { ctx, by, texts, now: now() });
      const version = turn.state && (await keep(key, turn.state));
      if (turn.kind !== 'finished') return { kind: 'asked', dialog: name, reply: turn.reply };
      const clear = async () => version && (await drop(key, version));
      return finished(dialog, { ctx, answers: turn.answers, clear });
    },

    async answer(message) {
      const { origin, text, ctx, by } = message;
      const key = keyOf(origin);
      const found = await find(key);
      if (found === undefined) return { kind: 'none' };
      const { dialog, state, version } = found;
      // All was answered: only the message that did so may have it done again.
      if (state.step === null && (by === undefined || state.by !== by)) return { kind: 'none' };

      const turn = await answerDialog(dialog, state, { text, ctx, by, now: now() });
      const written = await (turn.state === undefined
        ? drop(key, version)
        : keep(key, turn.state, version));
      if (written === undefined) return { kind: 'overtaken', reply: await overtaken(key, message) };
      if (turn.kind !== 'finished') {
        return { kind: turn.kind, dialog: dialog.name, reply: turn.reply };
      }
      const clear = () => drop(key, written);
      return finished(dialog, { ctx, answers: turn.answers, clear });
    },

    async active(origin) {
      const found = await find(keyOf(origin));
      if (found === undefined || found.state.step === null) return undefined;
      if (found.state.expires_at <= now()) return undefined;
      return { dialog: found.dialog.name, step: found.state.step };
    },

    end: (origin) => store.delete(keyOf(origin)),
  };
}
