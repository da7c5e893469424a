import type { DeliveryContext } from '../delivery-context.ts';
import { actorOf } from '../delivery.ts';
import { type HandlerResult, toReply } from '../reply.ts';
import { conversationKey } from '../rest/conversation.ts';
import type { Store } from '../stores/store.ts';
import type { Dialog } from './dialog.ts';
import { type DialogOutcome, dialogs, type DroppedDialog } from './dialogs.ts';

interface DialogRouterOptions {
  readonly store: Store;
  readonly now: () => number;
  readonly onDropped: (dropped: DroppedDialog) => void;
}

/** Routes the messages of a bot to its dialogs. */
export interface DialogRouter {
  readonly add: (dialog: Dialog<DeliveryContext, HandlerResult>) => void;
  /** Begins a dialog. Resolves with its first question. */
  readonly begin: (
    context: DeliveryContext,
    name: string,
    texts?: Readonly<Record<string, string>>,
  ) => Promise<HandlerResult>;
  /** Ends the dialog of the user, if there is one. */
  readonly leave: (context: DeliveryContext) => Promise<void>;
  /** Takes the message as an answer if a dialog waits for one, and calls `next` if not. */
  readonly answer: (
    context: DeliveryContext,
    next: () => Promise<HandlerResult>,
  ) => Promise<HandlerResult>;
}

export function dialogRouter({ store, now, onDropped }: DialogRouterOptions): DialogRouter {
  const botDialogs = dialogs<DeliveryContext, HandlerResult>({
    store,
    now,
    onDropped,
    onAsked: (context, forMs) => context.expectAnswers(forMs),
  });

  const dialogMessage = (context: DeliveryContext) => ({
    ctx: context,
    origin: originOf(context),
    messageId: String(context.message.id),
  });

  return {
    add: (dialog) => botDialogs.add(dialog),
    begin: async (context, name, texts = {}) =>
      resultOf(context, await botDialogs.begin(name, { ...dialogMessage(context), texts })),
    leave: (context) => botDialogs.end(originOf(context)),
    async answer(context, next) {
      // A message that is handled again after a session conflict is not a second answer.
      const outcome = ((context.answered as DialogOutcome<HandlerResult> | undefined) ??=
        await botDialogs.answer({
          ...dialogMessage(context),
          text: context.text,
        }));
      if (outcome.kind === 'none') return next();
      if (outcome.kind === 'expired') return prefixed(outcome.reply, await next());
      return resultOf(context, outcome);
    },
  };
}

async function resultOf(
  context: DeliveryContext,
  outcome: DialogOutcome<HandlerResult>,
): Promise<HandlerResult> {
  if (outcome.kind !== 'finished') return outcome.kind === 'none' ? undefined : outcome.reply;
  try {
    return await outcome.done();
  } catch (error) {
    context.afterFailure = outcome.offer;
    throw error;
  }
}

function prefixed(text: string, result: HandlerResult): HandlerResult {
  const reply = toReply(result);
  return reply === undefined ? text : { ...reply, content: `${text}\n\n${reply.content}` };
}

const originOf = ({ delivery }: DeliveryContext) => ({
  botEmail: delivery.botEmail,
  conversation: conversationKey(delivery),
  senderId: actorOf(delivery).id,
});
