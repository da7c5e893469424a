import type { Submessage } from '@bellhop/protocol';
import { z } from 'zod';

const PollData = z.object({
  question: z.string().catch(''),
  options: z.array(z.string()).catch([]),
});
const TodoData = z.object({
  task_list_title: z.string().catch(''),
  tasks: z.array(z.object({ task: z.string(), desc: z.string().catch('') })).catch([]),
});
const ChoicesData = z.object({
  heading: z.string().catch(''),
  choices: z
    .array(z.object({ short_name: z.string(), long_name: z.string(), reply: z.string() }))
    .catch([]),
});
export type PollData = z.output<typeof PollData>;
export type TodoData = z.output<typeof TodoData>;
export type ChoicesData = z.output<typeof ChoicesData>;

const WidgetData = z.discriminatedUnion('widget_type', [
  z.object({ widget_type: z.literal('poll'), extra_data: PollData }),
  z.object({ widget_type: z.literal('todo'), extra_data: TodoData.nullish() }),
  z.object({ widget_type: z.literal('zform'), extra_data: ChoicesData }),
]);

/** The widget that the first submessage declares; undefined if the console does not know it. */
export const readWidget = ([first]: readonly Submessage[]) =>
  first && WidgetData.safeParse(jsonOf(first.content)).data;

const Part = z.looseObject({ type: z.string() });
export type Part = z.output<typeof Part> & { readonly sender_id: number };

/** The submessages of a widget, oldest first. Unreadable ones are left out. */
export const partsOf = (submessages: readonly Submessage[]): readonly Part[] =>
  submessages.slice(1).flatMap(({ content, sender_id }) => {
    const part = Part.safeParse(jsonOf(content)).data;
    return part ? [{ ...part, sender_id }] : [];
  });

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
