import type { MessageOrigin } from '../sessions/scope-key.ts';
import type { StandardSchema } from '../sessions/standard-schema.ts';
import { dialog, type Dialog, type DialogOptions } from './dialog.ts';
import type { DialogMessage, DialogOutcome, Dialogs } from './dialogs.ts';

export interface ConfirmOptions<C, R> extends DialogOptions {
  /** Runs the command line that was confirmed, for whoever confirmed it. */
  readonly run: (ctx: C, line: string) => R | Promise<R>;
  /** What is returned when the answer is no. */
  readonly declined: R;
  readonly yes?: readonly string[];
  readonly no?: readonly string[];
}

const name = 'confirm';

/**
 * The dialog that asks before a command has effects: yes or no, within five minutes unless told.
 * Add it to the dialogs of a bot, then ask with `confirm`.
 */
export function confirmDialog<C, R>(options: ConfirmOptions<C, R>): Dialog<C, R> {
  const { run, declined, yes = ['yes', 'y'], no = ['no', 'n'], ...others } = options;
  const words = `${yes[0]} / ${no[0]}`;
  return dialog(
    name,
    {
      line: { ask: '', schema: anyText },
      question: { ask: '', schema: anyText },
      sure: { ask: ({ question }) => `${question} (${words})`, schema: yesOrNo(yes, no) },
    },
    (ctx: C, { line, sure }) => (sure ? run(ctx, line) : declined),
    { expiresMs: 300_000, ...others },
  );
}

/** Asks `question`, and keeps `line` until the answer: the text of the command to be run. */
export function confirm<C, R, O extends MessageOrigin>(
  dialogs: Dialogs<C, R, O>,
  message: DialogMessage<C, O> & { readonly line: string; readonly question: string },
): Promise<DialogOutcome<R>> {
  const { line, question, ...rest } = message;
  return dialogs.begin(name, { ...rest, texts: { line, question } });
}

const anyText: StandardSchema<string> = schemaOf((text) => ({ value: text }));

function yesOrNo(yes: readonly string[], no: readonly string[]): StandardSchema<boolean> {
  const plain = (text: string) => text.toLowerCase().replace(/[.!]+$/, '');
  return schemaOf((text) => {
    if (yes.some((word) => plain(word) === plain(text))) return { value: true };
    if (no.some((word) => plain(word) === plain(text))) return { value: false };
    return { issues: [{ message: `Please answer ${yes[0]} or ${no[0]}.` }] };
  });
}

function schemaOf<T>(
  read: (text: string) => { value: T } | { issues: readonly { message: string }[] },
): StandardSchema<T> {
  const validate = (value: unknown) => read(typeof value === 'string' ? value : '');
  return { '~standard': { version: 1, vendor: 'bellhop', validate } };
}
