import { Email, Secret } from '../values/fields.ts';
import { UserId } from '../values/ids.ts';
import { MAX_WORD_LENGTH } from '../values/limits.ts';
import { endpoint } from '../wire/endpoint.ts';
import { resource } from '../wire/resource.ts';
import { ClientDeviceEvent, PushDeviceEvent } from './devices.ts';
import { InvitesChangedEvent } from './invite-events.ts';
import { RealmUserEvent } from './users/user-events.ts';

/**
 * The operation with which users confirm a new address that they requested by `PATCH /settings`.
 */
export const emailChanges = resource({
  endpoints: {
    confirm: endpoint('POST /email_changes/confirm', {
      summary: 'Confirm your new e-mail address',
      description:
        'With the key of the link in the mail. The page of the link does the same for people. Your event queues and push devices end, and the former address is told.',
      access: 'anyone',
      locks: 'realm',
      params: {
        key: Secret.max(MAX_WORD_LENGTH).meta({
          description: 'The part of the link after `/confirm_email/`',
        }),
      },
      result: { user_id: UserId, email: Email },
      emits: [RealmUserEvent, InvitesChangedEvent, PushDeviceEvent, ClientDeviceEvent],
    }),
  },
});
