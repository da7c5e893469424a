import { everyRealm } from '../realms/every-realm.ts';
import { countRecentMessages } from './recent-messages.ts';

export const countRecentMessagesOfAll = everyRealm({
  name: 'count_recent_messages',
  run: (app, id) => app.change({ id }, ({ db }) => countRecentMessages(db, id, app.now())),
});
