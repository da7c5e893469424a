import type { MessageOrigin } from '../sessions/scope-key.ts';
import type { StandardSchema } from '../sessions/standard-schema.ts';
import { dialog, type Dialog, type DialogOptions } from './dialog.ts';
import type { DialogMessage, DialogOutcome, Dialogs } from './dialogs.ts';

export interface ConfirmOptions<C, R> extends DialogOptions {
  /** Runs the confirmed command line with the context of the confirming message. */
  readonly run: (ctx: C, line: string) => R | Promise<R>;
  /** The result if the answer is no. */
  readonly declined: R;
  readonly yes?: readonly string[];
  readonly no?: readonly string[];
}

const name = 'confirm';

/**
 * A dialog that asks for a yes or no before a command runs. `timeoutMs` is five minutes unless given.
 * Add it to the dialogs of a bot, then ask with `confirm`.
 */
export function confirmDialog<C, R>(options: ConfirmOptions<C, R>): Dialog<C, R> {
  const { run, declined, yes = ['yes', 'y'], no = ['no', 'n'], ...others } = options;
  const choices = `${yes[0]} / ${no[0]}`;
  return dialog(
    name,
    {
      line: { ask: '', schema: anyText },
      question: { ask: '', schema: anyText },
      sure: { ask: ({ question }) => `${question} (${choices})`, schema: yesOrNo(yes, no) },
    },
    (ctx: C, { line, sure }) => (sure ? run(ctx, line) : declined),
    { timeoutMs: 300_000, againWord: '', ...others },
  );
}

/** Asks `question`; after a yes the command line `line` runs. */
export function confirm<C, R, O extends MessageOrigin>(
  dialogs: Dialogs<C, R, O>,
  message: DialogMessage<C, O> & { readonly line: string; readonly question: string },
): Promise<DialogOutcome<R>> {
  const { line, question, ...rest } = message;
  return dialogs.begin(name, { ...rest, texts: { line, question } });
}

const anyText: StandardSchema<string> = textSchema((text) => ({ value: text }));

function yesOrNo(yes: readonly string[], no: readonly string[]): StandardSchema<boolean> {
  const normalized = (text: string) => text.toLowerCase().replace(/[.!]+$/, '');
  return textSchema((text) => {
    if (yes.some((word) => normalized(word) === normalized(text))) return { value: true };
    if (no.some((word) => normalized(word) === normalized(text))) return { value: false };
    return { issues: [{ message: `Please answer ${yes[0]} or ${no[0]}.` }] };
  });
}

function textSchema<T>(
  read: (text: string) => { value: T } | { issues: readonly { message: string }[] },
): StandardSchema<T> {
  const validate = (value: unknown) => read(typeof value === 'string' ? value : '');
  return { '~standard': { version: 1, vendor: 'bellhop', validate } };
}
