import { z } from 'zod';

import { Email, Html, Markdown, Timestamp } from '../values/fields.ts';
import { MAX_WORD_LENGTH } from '../values/limits.ts';
import { endpoint } from '../wire/endpoint.ts';
import { resource } from '../wire/resource.ts';

/** A mail that the server wrote into its outbox instead of sending it. */
export const KeptMail = z
  .object({
    id: z.string(),
    to: Email,
    from_name: z.string(),
    subject: z.string().meta({ example: 'Unread messages' }),
    sent_at: Timestamp.meta({ description: 'UNIX time in seconds' }),
  })
  .meta({ id: 'KeptMail' });
export type KeptMail = z.output<typeof KeptMail>;

export const mails = resource({
  endpoints: {
    list: endpoint('GET /mails', {
      summary: 'Get the newest mails of the outbox',
      description:
        'For sandboxes: a server with BELLHOP_MAIL_OUTBOX_READABLE keeps its mails instead of sending them. Their links sign other people in, so every other server answers with `is_kept: false` and none.',
      access: 'owner',
      result: {
        is_kept: z.boolean(),
        mails: z.array(KeptMail).meta({ description: 'The newest first' }),
      },
    }),

    get: endpoint('GET /mails/{mail_id}', {
      summary: 'Get a mail of the outbox',
      access: 'owner',
      params: { mail_id: z.string().max(MAX_WORD_LENGTH) },
      errors: ['NOT_FOUND'],
      result: {
        mail: KeptMail.extend({
          text: Markdown,
          html_path: Html.meta({
            description:
              'Where a browser finds the mail as HTML, for an hour and without a login. Scripts and links do not work there.',
          }),
        }),
      },
    }),
  },
});
