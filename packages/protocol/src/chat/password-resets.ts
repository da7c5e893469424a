import { z } from 'zod';

import { Email, Secret } from '../values/fields.ts';
import { UserId } from '../values/ids.ts';
import { MAX_EMAIL_LENGTH, MAX_WORD_LENGTH } from '../values/limits.ts';
import { endpoint } from '../wire/endpoint.ts';
import { resource } from '../wire/resource.ts';
import { ClientDeviceEvent, PushDeviceEvent } from './devices.ts';
import { MAX_PASSWORD_LENGTH } from './users/manage-users.ts';

/** The operations with which people who do not know their password get a new one. */
export const passwordResets = resource({
  endpoints: {
    request: endpoint('POST /password_resets/request', {
      summary: 'Ask for a mail that lets you choose a new password',
      description:
        'The answer does not tell whether the address has an account. Nothing changes until the link of the mail is used.',
      access: 'anyone',
      params: { email: Email.max(MAX_EMAIL_LENGTH) },
    }),

    send: endpoint('POST /users/{user_id}/password_reset', {
      summary: 'Send a user a mail that lets them choose a new password',
      description:
        'For administrators, who see neither the link nor the password. Nothing changes until the link is used.',
      access: 'admin',
      params: { user_id: UserId },
    }),

    confirm: endpoint('POST /password_resets/confirm', {
      summary: 'Choose a new password',
      description:
        'With the key of the link in the mail. The page of the link does the same for people. All logins of the user end: console sessions, API key, event queues and push devices.',
      access: 'anyone',
      locks: 'realm',
      steps: true,
      params: {
        key: Secret.max(MAX_WORD_LENGTH).meta({
          description: 'The part of the link after `/reset_password/`',
        }),
        new_password: z.string().max(MAX_PASSWORD_LENGTH),
      },
      result: { user_id: UserId, email: Email },
      emits: [PushDeviceEvent, ClientDeviceEvent],
    }),
  },
});
