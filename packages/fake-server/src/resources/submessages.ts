import { badRequest } from '@bellhop/protocol';
import { z } from 'zod';

import type { Resource } from '../call.ts';
import { audienceOf, readable } from '../stored-message.ts';
import { nextSubmessageId } from '../world.ts';

const MAX_LENGTH = 10_000;

export const submessages: Resource<'submessages'> = {
  add({ params, user, world }) {
    const { message_id, msg_type, content } = params;
    const message = readable(world, message_id, user);
    const isAuthor = message.sender === user;
    const [widget] = message.submessages;
    if (!isAuthor && !widget) throw badRequest('You cannot attach a submessage to this message.');
    if (content.length > MAX_LENGTH) throw badRequest('The submessage is too long.');
    checkPart(widget?.content, content, isAuthor);
    const part = { message_id, sender_id: user.user_id, msg_type, content };
    const submessage_id = nextSubmessageId(world);
    message.submessages.push({ id: submessage_id, ...part });
    world.queues.tell({
      type: 'submessage',
      ...audienceOf(message),
      show: () => ({ submessage_id, ...part }),
    });
    return {};
  },
};

const index = z.int().min(0).max(1000);
const text = z.string();
const parts = {
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
const ofTheAuthor: readonly string[] = ['question', 'new_task_list_title'];
const Widget = z.object({ widget_type: z.enum(['poll', 'todo']) });

/** Throws BAD_REQUEST for what a poll or a list of tasks cannot take. */
function checkPart(widget: string | undefined, content: string, isAuthor: boolean): void {
  const value = json(content);
  if (value === undefined) throw badRequest('Invalid json for submessage');
  const kind = Widget.safeParse(json(widget ?? '')).data?.widget_type;
  if (!kind) return;
  const part = parts[kind].safeParse(value);
  if (!part.success) throw badRequest(`content: ${part.error.issues[0]?.message ?? 'invalid'}`);
  if (!isAuthor && ofTheAuthor.includes(part.data.type))
    throw badRequest('Only the author of the message can change the title of its widget.');
}

function json(given: string): unknown {
  try {
    return JSON.parse(given);
  } catch {
    return undefined;
  }
}
