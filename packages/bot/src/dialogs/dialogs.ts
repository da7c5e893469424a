import { wordKey } from '@bellhop/protocol/plain';

import { BotError } from '../bot-error.ts';
import { type MessageOrigin, type Scope, scopeKey } from '../sessions/scope-key.ts';
import type { JsonValue, Store } from '../stores/store.ts';
import { answerDialog, beginDialog, type DialogTurn } from './dialog-engine.ts';
import { type DialogState, readDialogState } from './dialog-state.ts';
import type { Dialog } from './dialog.ts';

export interface DialogsOptions<C, O extends MessageOrigin = MessageOrigin> {
  readonly store: Store;
  /**
   * The scope of a dialog, of which one runs at a time; default: one user in one conversation.
   */
  readonly scope?: Scope<O>;
  readonly now?: () => number;
  /** Called when a stored dialog is dropped because it is malformed or no longer in the code. */
  readonly onDropped?: (dropped: DroppedDialog, ctx: C | undefined) => void;
  /** Called before a question is asked, with how long it waits for the answer, in milliseconds. */
  readonly onAsked?: (ctx: C, forMs: number) => Promise<void>;
}

export interface DroppedDialog {
  readonly key: string;
  /** Undefined if the stored state is malformed. */
  readonly dialog: string | undefined;
}

/** A message that may belong to a dialog. */
export interface DialogMessage<C, O extends MessageOrigin = MessageOrigin> {
  readonly origin: O;
  readonly ctx: C;
  /** The same for a repeated delivery of the message. */
  readonly messageId?: string;
}

export type DialogOutcome<R> =
  /** No dialog waits for an answer. */
  | { readonly kind: 'none' }
  /** The first, the next or a repeated question. */
  | { readonly kind: 'asked'; readonly dialog: string; readonly reply: string }
  /**
   * All steps are answered. `done` runs the `done` of the dialog and rejects if it fails; `offer`
   * is then the reply with the words that continue the dialog, unless it is empty.
   */
  | {
      readonly kind: 'finished';
      readonly dialog: string;
      readonly done: () => Promise<R>;
      readonly offer: string;
    }
  | { readonly kind: 'cancelled'; readonly dialog: string; readonly reply: string }
  /** The message is not an answer; `reply` comes before the reply to it. */
  | { readonly kind: 'expired'; readonly dialog: string; readonly reply: string }
  /** Another answer came first and this one is dropped; `reply` is the current question, if any. */
  | { readonly kind: 'overtaken'; readonly reply: string | undefined };

export interface Dialogs<C, R, O extends MessageOrigin = MessageOrigin> {
  add(dialog: Dialog<C, R>): void;
  /**
   * Begins a dialog, which replaces any other; `texts` are known answers. Rejects with BotError
   * `config_invalid` for an unknown name.
   */
  begin(
    name: string,
    message: DialogMessage<C, O> & { readonly texts?: Readonly<Record<string, string>> },
  ): Promise<DialogOutcome<R>>;
  /** Takes a message as an answer, if a dialog waits for one. */
  answer(message: DialogMessage<C, O> & { readonly text: string }): Promise<DialogOutcome<R>>;
  /** The dialog that waits for an answer, and its step. */
  active(origin: O): Promise<{ readonly dialog: string; readonly step: string } | undefined>;
  /** Ends the dialog, if there is one. */
  end(origin: O): Promise<void>;
}

type FinishedTurn = Extract<DialogTurn, { readonly kind: 'finished' }>;

/** How long an expired dialog is stored, so that the next message announces it. */
const ANNOUNCE_MS = 86_400_000;

/**
 * The dialogs of a bot, kept in its store. Of two answers at the same time it takes one. If the process
 * crashes after it took an answer, a repeated delivery of the message repeats the question or runs `done`
 * again.
 */
export function dialogs<C, R, O extends MessageOrigin = MessageOrigin>({
  store,
  scope = 'user-in-conversation',
  now = Date.now,
  onDropped,
  onAsked,
}: DialogsOptions<C, O>): Dialogs<C, R, O> {
  const byName = new Map<string, Dialog<C, R>>();
  const keyOf = (origin: O) => scopeKey('dialog', scope, origin);

  const save = (key: string, state: DialogState, expected?: string) =>
    store.set(key, { ...state } satisfies JsonValue, {
      ttlMs: state.expires_at - now() + ANNOUNCE_MS,
      ...(expected !== undefined && { expected }),
    });

  /** Deletes this version and no later one: writes a null that expires at once. */
  const drop = (key: string, expected: string) => store.set(key, null, { expected, ttlMs: 1 });

  async function find(key: string, ctx?: C) {
    const stored = await store.get(key);
    if (stored === undefined || stored.value === null) return undefined;
    const state = readDialogState(stored.value);
    const dialog = byName.get(state?.dialog ?? '');
    if (state !== undefined && dialog !== undefined) {
      return { dialog, state, version: stored.version };
    }
    onDropped?.({ key, dialog: state?.dialog }, ctx);
    await drop(key, stored.version);
    return undefined;
  }

  /**
   * `done` may run again, as after a session conflict; the dialog ends with its first success. After a
   * failure the answers are kept, unless another dialog has begun.
   */
  function finished(
    dialog: Dialog<C, R>,
    {
      ctx,
      key,
      turn,
      version,
    }: { ctx: C; key: string; turn: FinishedTurn; version: string | undefined },
  ): DialogOutcome<R> {
    const { againWord, timeoutMs, failed } = dialog.options;
    let current = version;
    return {
      kind: 'finished',
      dialog: dialog.name,
      offer: againWord === '' ? '' : failed,
      async done() {
        try {
          const result = await dialog.done(ctx, turn.answers);
          if (current !== undefined) await drop(key, current);
          return result;
        } catch (error) {
          if (current === undefined) throw error;
          const kept = { ...turn.state, failed: true, expires_at: now() + timeoutMs } as const;
          current = await (againWord === '' ? drop(key, current) : save(key, kept, current));
          throw error;
        }
      },
    };
  }

  /** The reply to an answer that came second. */
  async function currentQuestion(key: string, { ctx, messageId }: DialogMessage<C, O>) {
    const found = await find(key, ctx);
    if (found === undefined || found.state.step === null) return undefined;
    const texts = found.state.answers;
    const turn: DialogTurn = await beginDialog(found.dialog, { ctx, messageId, now: now(), texts });
    return turn.kind === 'asked' ? turn.reply : undefined;
  }

  return {
    add(dialog) {
      if (byName.has(dialog.name)) {
        throw new BotError('config_invalid', `The dialog "${dialog.name}" is already declared.`);
      }
      byName.set(dialog.name, dialog);
    },

    async begin(name, { origin, ctx, messageId, texts = {} }) {
      const dialog = byName.get(name);
      if (dialog === undefined) {
        throw new BotError(
          'config_invalid',
          `There is no dialog "${name}": declare it with bot.dialog.`,
        );
      }
      const key = keyOf(origin);
      const turn = await beginDialog(dialog, { ctx, messageId, texts, now: now() });
      const version = turn.state && (await save(key, turn.state));
      if (turn.kind === 'asked') await onAsked?.(ctx, dialog.options.timeoutMs);
      if (turn.kind !== 'finished') return { kind: 'asked', dialog: name, reply: turn.reply };
      return finished(dialog, { ctx, key, turn, version });
    },

    async answer(message) {
      const { origin, text, ctx, messageId } = message;
      const key = keyOf(origin);
      const found = await find(key, ctx);
      if (found === undefined) return { kind: 'none' };
      const { dialog, state, version } = found;
      if (state.step === null && !mayFinish(dialog, state, message)) return { kind: 'none' };

      const turn = await answerDialog(dialog, state, { text, ctx, messageId, now: now() });
      const written = await (turn.state === undefined
        ? drop(key, version)
        : save(key, turn.state, version));
      if (written === undefined)
        return { kind: 'overtaken', reply: await currentQuestion(key, message) };
      if (turn.kind === 'asked') await onAsked?.(ctx, dialog.options.timeoutMs);
      if (turn.kind !== 'finished') {
        return { kind: turn.kind, dialog: dialog.name, reply: turn.reply };
      }
      return finished(dialog, { ctx, key, turn, version: written });
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

/**
 * Whether a message may finish a dialog whose steps are all answered: it is the message with the
 * last answer, or, after `done` has failed, one of the two words that the reply offers.
 */
function mayFinish<C, R>(
  { options }: Dialog<C, R>,
  state: DialogState,
  { text, messageId }: { readonly text: string; readonly messageId?: string | undefined },
): boolean {
  if (messageId !== undefined && state.message_id === messageId) return true;
  const word = wordKey(text);
  return state.failed === true && (word === options.againWord || word === options.cancelWord);
}
