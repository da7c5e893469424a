import { z } from 'zod';

import { Email, Secret } from '../values/fields.ts';
import { UserId } from '../values/ids.ts';
import { MAX_EMAIL_LENGTH, MAX_NAME_LENGTH } from '../values/limits.ts';
import { endpoint } from '../wire/endpoint.ts';
import { resource } from '../wire/resource.ts';
import { ClientDeviceEvent, PushDeviceEvent } from './devices.ts';

const endpoints = {
  fetchApiKey: endpoint('POST /fetch_api_key', {
    summary: 'Get your API key by e-mail and password',
    access: 'anyone',
    steps: true,
    params: {
      username: Email.max(MAX_EMAIL_LENGTH).meta({ description: 'Your e-mail address' }),
      password: z.string().max(MAX_NAME_LENGTH),
    },
    result: { api_key: Secret, email: Email, user_id: UserId },
    errors: ['AUTHENTICATION_FAILED'],
  }),

  regenerateApiKey: endpoint('POST /users/me/api_key/regenerate', {
    summary: 'Get a new API key for yourself',
    description:
      'When the response arrives, every server rejects the old key, your event queues are deleted, and nothing is pushed to your phones until they register again.',
    access: 'human',
    locks: 'realm',
    result: { api_key: Secret },
    emits: [PushDeviceEvent, ClientDeviceEvent],
  }),
};

export const accounts = resource({ endpoints });
