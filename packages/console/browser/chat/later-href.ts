import { href } from '../navigation/location.ts';

/** What the user has begun or put off. */
export const laterTabs = {
  drafts: 'Drafts',
  scheduled: 'Scheduled',
  reminders: 'Reminders',
  snippets: 'Snippets',
} as const;
export type LaterTab = keyof typeof laterTabs;

/** The list of the path after `/console/chat/`: `['later', 'scheduled']`; undefined for other paths. */
export function laterTabOf([kind, tab = 'drafts']: readonly string[]): LaterTab | undefined {
  return kind === 'later' && Object.hasOwn(laterTabs, tab) ? (tab as LaterTab) : undefined;
}

/** The address of a list of what the user has begun or put off. */
export const laterHref = (tab: LaterTab): string => href(['chat', 'later', tab]);
