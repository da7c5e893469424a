import { badRequest, MAX_SUBMESSAGES_LENGTH } from '@bellhop/protocol';

import type { Handlers, Resource } from '../../engine/resource.ts';
import { changeableMessage } from '../../model/messages/changeable-message.ts';
import { messageAudience } from '../../model/messages/read/message-audience.ts';
import { checkPart } from '../../model/submessages/check-part.ts';
import * as queries from '../../model/submessages/queries.ts';
import { followParticipation } from '../user-topics/follow-topics.ts';

const handlers: Handlers<'submessages'> = {
  async add({ actor, user, realm, params: { message_id, msg_type, content }, db, emit }) {
    const message = await changeableMessage(db, actor, message_id);
    const author_id = message.sender_id;
    const attached = await queries.attachedTo(db, { realm_id: realm.id, message_id, author_id });
    const isAuthor = author_id === user.id;
    if (!isAuthor && !attached.by_author)
      throw badRequest('You cannot attach a submessage to this message.');
    if (attached.length + content.length > MAX_SUBMESSAGES_LENGTH)
      throw badRequest('This message has no room for another submessage.');
    checkPart({ widget: attached.widget, content, isAuthor });
    const part = { message_id, sender_id: user.id, msg_type, content };
    const submessage_id = await queries.insert(db, { realm_id: realm.id, ...part });
    const { audience } = await messageAudience(db, realm, { ...message, user });
    emit({ type: 'submessage', submessage_id, ...part }, audience);
    await followParticipation({ db, emit }, actor, message);
    return {};
  },
};

export const submessages: Resource<'submessages'> = { handlers };
