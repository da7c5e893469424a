import { z } from 'zod';

import { endpoint } from './endpoint.ts';
import { event } from './event.ts';
import { MessageId } from './ids.ts';
import { resource } from './resource.ts';

/** A file that somebody uploaded, and the messages that link it. Times are UNIX seconds. */
export const Attachment = z
  .object({
    id: z.int(),
    name: z.string(),
    path_id: z.string().meta({ description: 'What follows /user_uploads/ in its address' }),
    size: z.int().meta({ description: 'Bytes' }),
    create_time: z.int(),
    messages: z.array(z.object({ id: MessageId, date_sent: z.int() })),
  })
  .meta({ id: 'Attachment' });
export type Attachment = z.output<typeof Attachment>;

const type = z.literal('attachment');
const upload_space_used = z.int().meta({ description: 'Bytes, of the whole organization' });

/** A file of the reader's was uploaded, linked or no longer linked by messages, or removed. */
export const AttachmentEvent = z.discriminatedUnion('op', [
  z.object({ type, op: z.literal('add'), attachment: Attachment, upload_space_used }),
  z.object({ type, op: z.literal('update'), attachment: Attachment, upload_space_used }),
  z.object({
    type,
    op: z.literal('remove'),
    attachment: Attachment.pick({ id: true }),
    upload_space_used,
  }),
]);

/** A file that no message links is removed after this many days. */
export const UNCLAIMED_DAYS = 35;
/** How long a temporary address works. */
export const TEMPORARY_SECONDS = 60;

const ofUploads = {
  create: endpoint('POST /user_uploads', {
    summary: 'Upload a file',
    description: `One file as multipart/form-data, under any field name; other fields of the form are ignored. At most max_file_upload_size_mib (see POST /register). Link its url in a message to share it with those who can read the message. A file that no message links is removed after ${UNCLAIMED_DAYS} days.`,
    access: 'user',
    body: 'file',
    steps: true,
    result: {
      url: z.string().meta({ description: 'Below the address of the organization' }),
      uri: z.string().meta({ description: 'The same, as it was called before' }),
      filename: z.string(),
    },
    errors: ['REALM_UPLOAD_QUOTA'],
    emits: [AttachmentEvent],
  }),

  temporaryUrl: endpoint('GET /user_uploads/{realm_id}/{token}/{filename}', {
    summary: 'Get a temporary address of an uploaded file',
    description: `For its owner, and whoever can read a message that links it. The address needs no login and works for ${TEMPORARY_SECONDS} seconds. With a login (HTTP Basic) the file is also at its own address, /user_uploads/{realm_id}/{token}/{filename} without /api/v1.`,
    access: 'user',
    params: { realm_id: z.string(), token: z.string(), filename: z.string() },
    result: { url: z.string() },
    errors: ['NOT_FOUND'],
  }),
};

const ofAttachments = {
  list: endpoint('GET /attachments', {
    summary: 'Get the files you have uploaded',
    access: 'user',
    result: { attachments: z.array(Attachment), upload_space_used },
  }),

  remove: endpoint('DELETE /attachments/{attachment_id}', {
    summary: 'Remove a file you have uploaded',
    description: 'Messages that link it stay as they are; the link leads nowhere then.',
    access: 'user',
    params: { attachment_id: z.int() },
    emits: [AttachmentEvent],
  }),
};

export const uploads = resource({ endpoints: ofUploads });
export const attachments = resource({
  endpoints: ofAttachments,
  events: [event(AttachmentEvent, 'changes no state')],
});
