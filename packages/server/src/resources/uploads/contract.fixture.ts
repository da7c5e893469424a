import type { Attachment } from '@bellhop/protocol';

import type { ContractFixture, Sample } from '../../contract.fixture.ts';
import type { Person } from '../../test-chat.fixture.ts';
import { addChannel } from '../channels/channels.fixture.ts';

/** Uploads a file and returns its attachment. */
async function newAttachment({ client }: Person) {
  await client.uploads.create({}, { file: new File(['hello'], 'hello.txt') });
  const [newest] = (await client.attachments.list()).attachments;
  if (!newest) throw new Error('no attachment');
  return newest;
}

function addressOf({ path_id }: Attachment): Sample {
  const [realm_id = '', token = '', filename = ''] = path_id.split('/');
  return { realm_id, token, filename };
}

let forums = 0;

export const fixture: ContractFixture = {
  samples: {
    'GET /user_uploads/{realm_id}/{token}/{filename}': async (_chat, caller) =>
      addressOf(await newAttachment(caller)),
  },
  spectators: {
    'GET /user_uploads/{realm_id}/{token}/{filename}': async (chat) => {
      const { hamlet } = chat.people;
      const name = `files ${++forums}`;
      await addChannel(chat, { name, subscribers: [hamlet], is_web_public: true });
      const attachment = await newAttachment(hamlet);
      const content = `[hello](/user_uploads/${attachment.path_id})`;
      await hamlet.client.messages.send({ type: 'channel', to: name, topic: 'news', content });
      return addressOf(attachment);
    },
  },
  parameters: { attachment_id: async (_chat, caller) => (await newAttachment(caller)).id },
  declared: {
    'POST /user_uploads attachment': ({ chat }) => newAttachment(chat.people.hamlet),
    'POST /user_uploads REALM_UPLOAD_QUOTA': ({ withoutBouncer }) =>
      withoutBouncer.people.hamlet.client.uploads.create({}, { file: new File(['x'], 'x') }),
    'GET /user_uploads/{realm_id}/{token}/{filename} NOT_FOUND': ({ chat }) =>
      chat.people.hamlet.client.uploads.temporaryUrl({ realm_id: '1', token: 'x', filename: 'x' }),
    'DELETE /attachments/{attachment_id} attachment': async ({ chat: { people } }) => {
      const { id } = await newAttachment(people.hamlet);
      await people.hamlet.client.attachments.remove({ attachment_id: id });
    },
  },
  changes: {
    'a file uploaded, sent and removed': async ({ people: { hamlet } }) => {
      const { id, path_id } = await newAttachment(hamlet);
      const content = `[hello](/user_uploads/${path_id})`;
      await hamlet.client.messages.send({ type: 'channel', to: 'verona', topic: 'news', content });
      await hamlet.client.attachments.remove({ attachment_id: id });
    },
  },
};
