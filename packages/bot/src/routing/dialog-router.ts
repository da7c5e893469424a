import { actorOf } from '../delivery.ts';
import type { AnyStep, Dialog } from '../dialogs/dialog.ts';
import { type DialogOutcome, dialogs } from '../dialogs/dialogs.ts';
import { conversationKey } from '../rest/conversation.ts';
import { type HandlerResult, toReply } from '../rest/reply.ts';
import type { Store } from '../stores/store.ts';
import { given, type Turn } from './turn.ts';

interface DialogRouterOptions {
  readonly store: Store;
  readonly now: () => number;
}

/** Routes the messages of a bot to its dialogs. */
export interface DialogRouter {
  readonly add: (dialog: Dialog<never, HandlerResult>) => void;
  /** Begins a dialog. Resolves with its first question. */
  readonly begin: (
    turn: Turn,
    name: string,
    texts?: Readonly<Record<string, string>>,
  ) => Promise<HandlerResult>;
  /** Ends the dialog of the user, if there is one. */
  readonly leave: (turn: Turn) => Promise<void>;
  /** Takes the message as an answer if a dialog waits for one, and calls `next` if not. */
  readonly answer: (turn: Turn, next: () => Promise<HandlerResult>) => Promise<HandlerResult>;
}

export function dialogRouter({ store, now }: DialogRouterOptions): DialogRouter {
  const botDialogs = dialogs<Turn, HandlerResult>({
    store,
    now,
    onDropped: ({ dialog: name }, turn) => {
      const which = name === undefined ? 'A dialog' : `A dialog "${name}"`;
      const message = `${which} that waited for an answer is gone from the code.`;
      turn?.services.warn('stored_state_dropped', message);
    },
    onAsked: (turn, forMs) => turn.expectAnswers(forMs),
  });

  const dialogMessage = (turn: Turn) => ({
    ctx: turn,
    origin: originOf(turn),
    messageId: String(turn.context.message.id),
  });

  return {
    add: (dialog) => botDialogs.add(onTurns(dialog)),
    begin: async (turn, name, texts = {}) =>
      resultOf(turn, await botDialogs.begin(name, { ...dialogMessage(turn), texts })),
    leave: (turn) => botDialogs.end(originOf(turn)),
    async answer(turn, next) {
      // A message that is handled again after a session conflict is not a second answer.
      const outcome = ((turn.answered as DialogOutcome<HandlerResult> | undefined) ??=
        await botDialogs.answer({
          ...dialogMessage(turn),
          text: turn.context.text,
        }));
      if (outcome.kind === 'none') return next();
      if (outcome.kind === 'expired') return prefixed(outcome.reply, await next());
      return resultOf(turn, outcome);
    },
  };
}

/** The dialog for turns, whose functions get the context. */
function onTurns({
  steps,
  done,
  ...dialog
}: Dialog<never, HandlerResult>): Dialog<Turn, HandlerResult> {
  const onTurn = ({ ask, ...step }: AnyStep<never>): AnyStep<Turn> => ({
    ...step,
    ask: typeof ask === 'string' ? ask : (answers, turn) => ask(answers, given(turn)),
  });
  return {
    ...dialog,
    steps: new Map(Array.from(steps, ([name, step]) => [name, onTurn(step)])),
    done: (turn, answers) => done(given(turn), answers),
  };
}

async function resultOf(turn: Turn, outcome: DialogOutcome<HandlerResult>): Promise<HandlerResult> {
  if (outcome.kind !== 'finished') return outcome.kind === 'none' ? undefined : outcome.reply;
  try {
    return await outcome.done();
  } catch (error) {
    turn.afterFailure = outcome.offer;
    throw error;
  }
}

function prefixed(text: string, result: HandlerResult): HandlerResult {
  const reply = toReply(result);
  return reply === undefined ? text : { ...reply, content: `${text}\n\n${reply.content}` };
}

const originOf = ({ delivery }: Turn) => ({
  botEmail: delivery.botEmail,
  conversation: conversationKey(delivery),
  senderId: actorOf(delivery).id,
});
