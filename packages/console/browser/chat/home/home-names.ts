import type { UserSettings } from '@bellhop/protocol';

/** The name of the home view in its path: a narrow screen shows it in place of the conversations. */
export const HOME = 'home';

/** The titles of the home views that are no conversation. */
export const homeNames: Readonly<Record<UserSettings['web_home_view'], string | undefined>> = {
  inbox: 'Inbox',
  recent_topics: 'Recent conversations',
  all_messages: undefined,
};
