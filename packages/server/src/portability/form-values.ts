import { flagBits } from '../model/messages/read/flags.ts';

/** The bits that both forms have in different places: ours, and those of the form. */
const moved = [
  [flagBits.has_alert_word, 512],
  [flagBits.historical, 1024],
] as const;
/** The bits that both have in the same places. */
const SAME = 127;

/** Our flags of a message as the form has them. */
export const formFlags = (flags: number): number =>
  moved.reduce((mask, [own, form]) => (flags & own ? mask | form : mask), flags & SAME);

/** Flags of the form as ours. Others of the form, which no client sees, are left out. */
export const ownFlags = (mask: number): number =>
  moved.reduce((flags, [own, form]) => (mask & form ? flags | own : flags), mask & SAME);

/** Policies that the form has as numbers. */
const topicsPolicies: Readonly<Record<number, string>> = {
  1: 'inherit',
  2: 'allow_empty_topic',
  3: 'disable_empty_topic',
  4: 'empty_topic_only',
};
const historyPolicies: Readonly<Record<number, string>> = { 1: 'all', 2: 'moves', 3: 'none' };

/** The value of a setting as the API has it. */
export function settingValue(name: string, value: unknown): unknown {
  if (typeof value !== 'number') return value;
  if (name === 'topics_policy') return topicsPolicies[value] ?? value;
  if (name === 'message_edit_history_visibility_policy') return historyPolicies[value] ?? value;
  return value;
}
