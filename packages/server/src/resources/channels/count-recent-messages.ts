import { everyRealm } from '../../every-realm.ts';
import { countRecentMessages } from '../../model/channels/recent-messages.ts';

export const countRecentMessagesOfAll = everyRealm({
  name: 'count_recent_messages',
  run: (app, id) => app.change({ id }, ({ db }) => countRecentMessages(db, id, app.now())),
});
