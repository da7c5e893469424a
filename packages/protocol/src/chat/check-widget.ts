import { z } from 'zod';

import { MAX_TEXT_LENGTH } from '../values/limits.ts';

const text = z.string();
const Widget = z.discriminatedUnion('widget_type', [
  z.object({
    widget_type: z.literal('poll'),
    extra_data: z
      .object({ question: text.optional(), options: z.array(text).optional() })
      .nullish(),
  }),
  z.object({
    widget_type: z.literal('todo'),
    extra_data: z.object({ task_list_title: text.optional() }).nullish(),
  }),
  z.object({
    widget_type: z.literal('zform'),
    extra_data: z.object({
      type: z.literal('choices'),
      heading: text,
      choices: z.array(
        z.object({ type: text.optional(), short_name: text, long_name: text, reply: text }),
      ),
    }),
  }),
]);

/** Checks a widget, which must be JSON text. Returns the error, or undefined for a valid widget. */
export function checkWidget(content: unknown): string | undefined {
  if (content === undefined || content === null) return undefined;
  if (typeof content !== 'string') return 'it must be JSON text';
  if (content.length > MAX_TEXT_LENGTH) return `it must have at most ${MAX_TEXT_LENGTH} characters`;
  let widget: unknown;
  try {
    widget = JSON.parse(content);
  } catch {
    return 'it is not valid JSON text';
  }
  const parsed = Widget.safeParse(widget);
  if (parsed.success) return undefined;
  const [issue] = parsed.error.issues;
  return `${issue?.path.join('.') || 'it'}: ${issue?.message ?? 'not a widget'}`;
}
