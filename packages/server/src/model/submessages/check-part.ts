import { badRequest } from '@bellhop/protocol';
import { z } from 'zod';

const type = z.literal;
/** Clients number options and tasks from 0. */
const Index = z.int().min(0).max(1000);

const PollPart = z.discriminatedUnion('type', [
  z.strictObject({ type: type('vote'), key: z.string(), vote: z.literal([1, -1]) }),
  z.strictObject({ type: type('new_option'), idx: Index, option: z.string() }),
  z.strictObject({ type: type('question'), question: z.string() }),
]);
const TodoPart = z.discriminatedUnion('type', [
  z.strictObject({
    type: type('new_task'),
    key: Index,
    task: z.string(),
    desc: z.string(),
    completed: z.boolean(),
  }),
  z.strictObject({ type: type('strike'), key: z.string() }),
  z.strictObject({ type: type('new_task_list_title'), title: z.string() }),
]);
const partOf = (widget_type: unknown) =>
  widget_type === 'poll' ? PollPart : widget_type === 'todo' ? TodoPart : undefined;
/** The types that only the author of the message may send. */
const authorTypes: readonly string[] = ['question', 'new_task_list_title'];

interface SubmessagePart {
  /** The JSON text of the widget; undefined if the message has none. */
  readonly widget: string | undefined;
  readonly content: string;
  readonly isAuthor: boolean;
}

/**
 * Throws BAD_REQUEST for invalid JSON, for anything but a vote, an option or a question in a poll, and
 * for anything but a change of tasks in a todo list. Other widgets accept everything.
 */
export function checkPart({ widget, content, isAuthor }: SubmessagePart): void {
  const value = json(content);
  if (value === undefined) throw badRequest('Invalid json for submessage');
  const part = partOf(widgetTypeOf(widget))?.safeParse(value);
  if (!part) return;
  if (!part.success) {
    const [issue] = part.error.issues;
    throw badRequest(`content: ${issue?.path.join('.') || 'it'}: ${issue?.message ?? 'invalid'}`);
  }
  if (!isAuthor && authorTypes.includes(part.data.type))
    throw badRequest('Only the author of the message can change the title of its widget.');
}

/** The type of a widget; undefined if its text declares none. */
export function widgetTypeOf(widget: string | undefined): unknown {
  const value = widget === undefined ? undefined : json(widget);
  return typeof value === 'object' && value !== null && 'widget_type' in value
    ? value.widget_type
    : undefined;
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
