import { countRecentMessages } from '../../model/channels/recent-messages.ts';
import { everyRealm } from '../realms/every-realm.ts';

export const countRecentMessagesOfAll = everyRealm({
  name: 'count_recent_messages',
  run: (app, id) => app.change({ id }, ({ db }) => countRecentMessages(db, id, app.now())),
});
