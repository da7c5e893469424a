import type { LiveAccount } from '../../live/live-account.ts';
import { userSetting } from '../../live/user-setting.ts';

import './home.css';
import { Inbox } from './inbox.tsx';
import { RecentConversations } from './recent.tsx';

/** The home view of a user, if it is no conversation. */
export const Home = ({ account }: { readonly account: LiveAccount }) =>
  userSetting(account, 'web_home_view') === 'recent_topics' ? (
    <RecentConversations account={account} />
  ) : (
    <Inbox account={account} />
  );
