import { badRequest } from '@bellhop/protocol';

import type { Handlers } from '../../../engine/resource.ts';
import { userOrSpectator } from '../../../engine/spectator.ts';
import {
  snapshots,
  visibleHistory,
  withShownTopics,
} from '../../../model/messages/edit/edit-history.ts';
import { allReadable, fetchPage } from '../../../model/messages/fetch/fetch-page.ts';
import { messageForClient, messageRecords } from '../../../model/messages/message-record.ts';
import { flagNames } from '../../../model/messages/read/flags.ts';
import { settingsOf } from '../../../model/realms/realm-settings.ts';

export const fetchOne: Handlers<'messages'>['fetchOne'] = async (call) => {
  const { db, realm, params } = call;
  const user = userOrSpectator(call);
  const [row] = await fetchPage({ db, user }, allReadable, { ids: [params.message_id] });
  const [found] = row ? await messageRecords(db, { realm, viewer: user }, [row]) : [];
  if (!row || !found) throw badRequest('Invalid message(s)');
  return {
    raw_content: row.content,
    message: {
      ...messageForClient(found.message, { ...params, client_gravatar: false }),
      flags: flagNames(row.flags),
    },
  };
};

export const fetchHistory: Handlers<'messages'>['history'] = async (call) => {
  const { db, realm, user, params } = call;
  const { message_edit_history_visibility_policy: policy } = settingsOf(realm);
  if (policy === 'none') throw badRequest('Message edit history is disabled in this organization');
  const [row] = await fetchPage({ db, user }, allReadable, { ids: [params.message_id] });
  if (!row) throw badRequest('Invalid message(s)');
  const shown = await snapshots(row, visibleHistory(policy, row.edit_history) ?? []);
  // The topic of a direct message is always empty: it has no display name.
  const allowEmpty = row.channel_id === null || params.allow_empty_topic_name;
  return { message_history: shown.map((one) => withShownTopics(one, allowEmpty)) };
};
