import { badRequest } from '@bellhop/protocol';

import type { Handlers } from '../../../engine/resource.ts';
import { userOrSpectator } from '../../../engine/spectator.ts';
import { messageForClient, presentRows } from '../presented-message.ts';
import { flagNames } from '../read/flags.ts';
import { allReadable, fetchPage } from './fetch-page.ts';

export const fetchOne: Handlers<'messages'>['fetchOne'] = async (call) => {
  const { db, realm, params } = call;
  const user = userOrSpectator(call);
  const [row] = await fetchPage({ db, user }, allReadable, { ids: [params.message_id] });
  const [presented] = row ? await presentRows(db, { realm, viewer: user }, [row]) : [];
  if (!row || !presented) throw badRequest('Invalid message(s)');
  return {
    raw_content: row.content,
    message: {
      ...messageForClient(presented.message, { ...params, client_gravatar: false }),
      flags: flagNames(row.flags),
    },
  };
};
