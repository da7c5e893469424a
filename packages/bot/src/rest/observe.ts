import type { MessageId } from '@bellhop/protocol';

import type { Conversation, Destination } from './conversation.ts';
import { postedMessage, type Rest } from './rest.ts';

/** Something that a bot has done by REST. */
export type RestAction =
  | {
      readonly action: 'posted';
      readonly messageId: MessageId;
      readonly to: Destination;
      readonly content: string;
      /** Interactive content, as it was given. */
      readonly widget?: object | string;
    }
  | { readonly action: 'edited'; readonly messageId: MessageId; readonly content: string }
  | { readonly action: 'deleted'; readonly messageId: MessageId }
  | {
      readonly action: 'reacted' | 'unreacted';
      readonly messageId: MessageId;
      readonly emoji: string;
    }
  | { readonly action: 'uploaded'; readonly name: string; readonly url: string }
  | {
      readonly action: 'moved';
      readonly messageId: MessageId;
      readonly from: Conversation;
      readonly to: Conversation;
    };

type Operation = Exclude<keyof Rest, 'client'>;

/** The action of a call of an operation, made of its arguments and its result. */
type ActionOf<O extends Operation> = (
  args: Parameters<Rest[O]>,
  result: Awaited<ReturnType<Rest[O]>>,
) => RestAction;

/** Every operation of the REST API: what it has done when it succeeds, or that it only reads. */
const operations: { readonly [O in Operation]: ActionOf<O> | 'reads' } = {
  post([message, to], { id: messageId }) {
    const { content, widget } = typeof message === 'string' ? { content: message } : message;
    const shown = widget === undefined ? { content } : { content, widget };
    return { action: 'posted', messageId, to, ...shown };
  },
  edit: ([messageId, content]) => ({ action: 'edited', messageId, content }),
  remove: ([messageId]) => ({ action: 'deleted', messageId }),
  react: ([messageId, emoji]) => ({ action: 'reacted', messageId, emoji }),
  unreact: ([messageId, emoji]) => ({ action: 'unreacted', messageId, emoji }),
  upload: ([{ name }], { url }) => ({ action: 'uploaded', name, url }),
  moveTopic: ([messageId, from], to) => ({ action: 'moved', messageId, from, to }),
  typing: 'reads',
  history: 'reads',
  find: 'reads',
  locate: 'reads',
  attachments: 'reads',
  user: 'reads',
};

type AnyCall = (...args: readonly unknown[]) => Promise<unknown>;

/** The same REST API, which tells each action after it has succeeded. Calls of `client` are not told. */
export function observe(rest: Rest, onAction: (action: RestAction) => void): Rest {
  const observed = Object.defineProperties({}, Object.getOwnPropertyDescriptors(rest)) as Rest;
  for (const [name, actionOf] of Object.entries(operations)) {
    if (actionOf === 'reads') continue;
    const call = rest[name as Operation] as AnyCall;
    const toAction = actionOf as (args: readonly unknown[], result: unknown) => RestAction;
    const observedCall: AnyCall = async (...args) => {
      const result = await call(...args);
      const action = toAction(args, result);
      onAction(action);
      // What is done with a message that was posted is an action too.
      return action.action === 'posted' ? postedMessage(observed, action.messageId) : result;
    };
    Object.assign(observed, { [name]: observedCall });
  }
  return observed;
}
