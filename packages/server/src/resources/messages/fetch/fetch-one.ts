import { badRequest } from '@bellhop/protocol';

import type { Resource } from '../../../engine/call.ts';
import { shownMessage } from '../presented-message.ts';
import { flagNames } from '../read/flags.ts';
import { everything, page } from './page.ts';
import { storedMessages } from './stored-messages.ts';

export const fetchOne: Resource<'messages'>['fetchOne'] = async ({ db, realm, user, params }) => {
  const seeker = { db, realm, user };
  const [row] = await page(seeker, everything, { ids: [params.message_id] });
  const [stored] = row ? await storedMessages(seeker, [row]) : [];
  if (!row || !stored) throw badRequest('Invalid message(s)');
  return {
    raw_content: row.content,
    message: {
      ...shownMessage(stored, { ...params, client_gravatar: false }),
      flags: flagNames(row.flags),
    },
  };
};
