import { z } from 'zod';

import { Email, FullName, Secret } from '../values/fields.ts';
import { UserId } from '../values/ids.ts';
import { MAX_EMAIL_LENGTH, MAX_NAME_LENGTH, MAX_WORD_LENGTH } from '../values/limits.ts';
import { endpoint } from '../wire/endpoint.ts';
import { resource } from '../wire/resource.ts';

/** The most accounts of one console session. */
export const MAX_CONSOLE_ACCOUNTS = 10;

const ConsoleAccount = z.object({ user_id: UserId, email: Email, full_name: FullName });
const accounts = z.array(ConsoleAccount).meta({ description: 'Those signed in, oldest first' });
const console_key = Secret.nullable().meta({
  description:
    'The half of a new session that the page sends as `Bellhop-Console`; null if the accounts joined the session of the request',
});
const description =
  'For the web console. A session has two halves, an HttpOnly cookie and a key, and holds several accounts; calls choose one by `Bellhop-Account`. Only the pages of this server can use it.';

export const consoleSessions = resource({
  endpoints: {
    signIn: endpoint('POST /console/session', {
      summary: 'Sign in to the console by e-mail and password',
      description,
      access: 'anyone',
      steps: true,
      params: {
        username: Email.max(MAX_EMAIL_LENGTH).meta({ description: 'Your e-mail address' }),
        password: z.string().max(MAX_NAME_LENGTH),
      },
      result: { console_key, accounts },
      errors: ['AUTHENTICATION_FAILED'],
    }),

    redeem: endpoint('POST /console/session/redeem', {
      summary: 'Sign in to the console by a key that works once',
      description,
      access: 'anyone',
      steps: true,
      params: { key: Secret.max(MAX_WORD_LENGTH) },
      result: { console_key, accounts },
      errors: ['AUTHENTICATION_FAILED'],
    }),

    get: endpoint('GET /console/session', {
      summary: 'Get the accounts of the console session',
      description: 'An empty list without a session.',
      access: 'anyone',
      result: { accounts },
    }),

    signOut: endpoint('DELETE /console/session', {
      summary: 'Sign out of the console',
      description: 'One account, or all if none is named. The session ends with its last account.',
      access: 'anyone',
      params: { user_id: UserId.optional() },
      result: { accounts },
    }),
  },
});
