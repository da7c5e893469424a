import { badRequest } from '@bellhop/protocol';
import { z } from 'zod';

import type { Resource } from '../call.ts';
import { audienceOf, readable } from '../stored-message.ts';
import { nextSubmessageId } from '../world.ts';

const MAX_SUBMESSAGE_LENGTH = 10_000;

export const submessages: Resource<'submessages'> = {
  add({ params, user, world }) {
    const { message_id, msg_type, content } = params;
    const message = readable(world, message_id, user);
    const isAuthor = message.sender === user;
    const [widget] = message.submessages;
    if (!isAuthor && !widget) throw badRequest('You cannot attach a submessage to this message.');
    if (content.length > MAX_SUBMESSAGE_LENGTH) throw badRequest('The submessage is too long.');
    checkAction(widget?.content, content, isAuthor);
    const submessage = { message_id, sender_id: user.user_id, msg_type, content };
    const submessage_id = nextSubmessageId(world);
    message.submessages.push({ id: submessage_id, ...submessage });
    world.queues.publish({
      type: 'submessage',
      ...audienceOf(message),
      show: () => ({ submessage_id, ...submessage }),
    });
    return {};
  },
};

const index = z.int().min(0).max(1000);
const text = z.string();
const actions = {
  poll: z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('vote'), key: text, vote: z.literal([1, -1]) }),
    z.strictObject({ type: z.literal('new_option'), idx: index, option: text }),
    z.strictObject({ type: z.literal('question'), question: text }),
  ]),
  todo: z.discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('new_task'),
      key: index,
      task: text,
      desc: text,
      completed: z.boolean(),
    }),
    z.strictObject({ type: z.literal('strike'), key: text }),
    z.strictObject({ type: z.literal('new_task_list_title'), title: text }),
  ]),
};
const authorActions: readonly string[] = ['question', 'new_task_list_title'];
const Widget = z.object({ widget_type: z.enum(['poll', 'todo']) });

/** Throws BAD_REQUEST for an invalid action on a poll or a to-do list. */
function checkAction(widget: string | undefined, content: string, isAuthor: boolean): void {
  const value = parseJson(content);
  if (value === undefined) throw badRequest('Invalid json for submessage');
  const kind = Widget.safeParse(parseJson(widget ?? '')).data?.widget_type;
  if (!kind) return;
  const action = actions[kind].safeParse(value);
  if (!action.success) throw badRequest(`content: ${action.error.issues[0]?.message ?? 'invalid'}`);
  if (!isAuthor && authorActions.includes(action.data.type))
    throw badRequest('Only the author of the message can change the title of its widget.');
}

/** Undefined if the text is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
