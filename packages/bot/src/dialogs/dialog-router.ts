import { conversationKey } from '../deliveries/conversation.ts';
import type { DeliveryContext } from '../delivery-context.ts';
import { type HandlerResult, toReply } from '../reply.ts';
import type { Store } from '../stores/store.ts';
import { confirm, confirmDialog } from './confirm.ts';
import type { Dialog } from './dialog.ts';
import { type DialogOutcome, dialogs, type DroppedDialog } from './dialogs.ts';

interface Options {
  readonly store: Store;
  readonly now: () => number;
  readonly onDropped: (dropped: DroppedDialog) => void;
  /** Runs the command of a line that was confirmed. */
  readonly confirmed: (context: DeliveryContext, line: string) => Promise<HandlerResult>;
}

type Outcome = DialogOutcome<HandlerResult>;

/** The dialogs of a bot as its messages meet them. */
export interface DialogRouter {
  readonly add: (dialog: Dialog<DeliveryContext, HandlerResult>) => void;
  /** Begins a dialog, and says its first question. */
  readonly begin: (
    context: DeliveryContext,
    name: string,
    texts?: Readonly<Record<string, string>>,
  ) => Promise<HandlerResult>;
  /** Asks whether the command of the message is really meant. */
  readonly confirm: (context: DeliveryContext, question: string) => Promise<HandlerResult>;
  /** Leaves the dialog that waits, if one does. */
  readonly leave: (context: DeliveryContext) => Promise<void>;
  /** Takes the message as an answer if a dialog waits for one, and hands it on otherwise. */
  readonly answer: (
    context: DeliveryContext,
    next: () => Promise<HandlerResult>,
  ) => Promise<HandlerResult>;
}

export function dialogRouter({ store, now, onDropped, confirmed }: Options): DialogRouter {
  const all = dialogs<DeliveryContext, HandlerResult>({ store, now, onDropped });
  all.add(confirmDialog({ run: confirmed, declined: 'All right, nothing was done.' }));

  const about = (context: DeliveryContext) => ({
    ctx: context,
    origin: originOf(context),
    by: by(context),
  });

  return {
    add: (dialog) => all.add(dialog),
    begin: async (context, name, texts = {}) =>
      said(await all.begin(name, { ...about(context), texts })),
    confirm: async (context, question) =>
      said(await confirm(all, { ...about(context), line: context.text, question })),
    leave: (context) => all.end(originOf(context)),
    async answer(context, next) {
      // A message that is handled again, after a conflict of sessions, has answered already.
      const outcome = ((context.answered as Outcome | undefined) ??= await all.answer({
        ...about(context),
        text: context.text,
      }));
      if (outcome.kind === 'none') return next();
      if (outcome.kind === 'expired') return prefixed(outcome.reply, await next());
      return said(outcome);
    },
  };
}

async function said(outcome: Outcome): Promise<HandlerResult> {
  if (outcome.kind === 'finished') return outcome.done();
  return outcome.kind === 'none' ? undefined : outcome.reply;
}

function prefixed(text: string, result: HandlerResult): HandlerResult {
  const reply = toReply(result);
  return reply === undefined ? text : { ...reply, content: `${text}\n\n${reply.content}` };
}

const originOf = ({ delivery }: DeliveryContext) => ({
  bot_email: delivery.bot_email,
  conversation: conversationKey(delivery),
  sender_id: delivery.message.sender.id,
});

const by = ({ message }: DeliveryContext) => String(message.id);
