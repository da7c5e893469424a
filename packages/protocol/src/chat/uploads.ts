import { z } from 'zod';

import { Name, Secret, Url } from '../values/fields.ts';
import { MessageId } from '../values/ids.ts';
import { MAX_NAME_LENGTH, MAX_WORD_LENGTH } from '../values/limits.ts';
import { endpoint } from '../wire/endpoint.ts';
import { event } from '../wire/event.ts';
import { resource } from '../wire/resource.ts';

/** The most messages that a file is listed with. */
export const MAX_LINKING_MESSAGES = 100;

/** An uploaded file, and the messages that link to it. Times are UNIX seconds. */
export const Attachment = z
  .object({
    id: z.int(),
    name: Name,
    path_id: z.string().meta({ description: 'The part of its URL after /user_uploads/' }),
    size: z.int().meta({ description: 'Bytes' }),
    create_time: z.int(),
    messages: z.array(z.object({ id: MessageId, date_sent: z.int() })).meta({
      description: `The newest ${MAX_LINKING_MESSAGES} messages that link to it, oldest first`,
    }),
    message_ids: z.array(MessageId).optional().meta({
      description: 'The IDs of `messages`. Servers before feature level 472 do not send it',
    }),
  })
  .meta({ id: 'Attachment' });
export type Attachment = z.output<typeof Attachment>;

const type = z.literal('attachment');
const upload_space_used = z.int().meta({ description: 'Bytes used by the whole organization' });

/** A file of this reader was uploaded, linked to by messages or no longer, or removed. */
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

/** Days after which a file is removed that no message, draft, scheduled message or snippet links to. */
export const UNCLAIMED_DAYS = 35;
/** Seconds for which a temporary URL works. */
export const TEMPORARY_SECONDS = 60;

const ofUploads = {
  create: endpoint('POST /user_uploads', {
    summary: 'Upload a file',
    description: `The body is multipart/form-data with one file under any field name; ignored_parameters_unsupported lists other fields. The file may have at most max_file_upload_size_mib MiB (see POST /register). To share it, link to its url in a message: everybody who can read the message can download it. A file that no message links to is removed after ${UNCLAIMED_DAYS} days, unless a draft, a scheduled message or a saved snippet of its owner links to it.`,
    access: 'user',
    locks: 'realm',
    body: 'file',
    steps: true,
    result: {
      url: Url.meta({ description: 'Path of the file, relative to the URL of the organization' }),
      uri: z.string().meta({ description: 'Older name of url' }),
      filename: z.string(),
    },
    errors: ['REALM_UPLOAD_QUOTA'],
    emits: [AttachmentEvent],
  }),

  temporaryUrl: endpoint('GET /user_uploads/{realm_id}/{token}/{filename}', {
    summary: 'Get a temporary URL of an uploaded file',
    description: `Allowed for the owner of the file and for everybody who can read a message that links to it. The URL needs no login and works for ${TEMPORARY_SECONDS} seconds. With a login (HTTP Basic), the file can also be downloaded at /user_uploads/{realm_id}/{token}/{filename}, without /api/v1. Without a login, in realms with spectator access, both work for the files that messages of web-public channels link.`,
    access: 'optional',
    params: {
      realm_id: z.string().max(MAX_WORD_LENGTH),
      token: Secret.max(MAX_WORD_LENGTH),
      filename: z.string().max(MAX_NAME_LENGTH),
    },
    result: { url: Url },
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
    description: 'Messages that link to it are not changed; their links stop working.',
    access: 'user',
    permissions: [{ to: 'remove the file', grants: ['own'] }],
    params: { attachment_id: z.int() },
    emits: [AttachmentEvent],
  }),
};

export const uploads = resource({ endpoints: ofUploads });
export const attachments = resource({
  endpoints: ofAttachments,
  events: [event(AttachmentEvent, 'changes no state')],
});
