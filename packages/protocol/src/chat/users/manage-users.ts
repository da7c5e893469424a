import { z } from 'zod';

import { Email, FullName } from '../../values/fields.ts';
import { UserId } from '../../values/ids.ts';
import { MAX_EMAIL_LENGTH, MAX_NAME_LENGTH } from '../../values/limits.ts';
import { endpoint } from '../../wire/endpoint.ts';
import type { Permission } from '../../wire/permission.ts';
import { RealmBotEvent } from '../bots/bot-events.ts';
import { StreamEvent, SubscriptionEvent } from '../channels/channel-events.ts';
import { ProfileValues } from '../custom-profile-fields.ts';
import { ClientDeviceEvent, PushDeviceEvent } from '../devices.ts';
import { InvitesChangedEvent } from '../invite-events.ts';
import { MessageEvent } from '../messages/message-events.ts';
import { RealmEvent } from '../realms/realm-events.ts';
import { UserGroupEvent } from '../user-groups/user-group-events.ts';
import { RealmUserEvent } from './user-events.ts';
import { Role, UserIdOrAddress } from './user.ts';

/** The limits of passwords: `password_min_length` and `password_max_length`. */
export const MIN_PASSWORD_LENGTH = 6;
export const MAX_PASSWORD_LENGTH = 100;
/** A password that is guessed in fewer tries is refused: `password_min_guesses`. */
export const MIN_PASSWORD_GUESSES = 10_000;
const MAX_COMMENT_LENGTH = 2000;

const activityEvents = [
  RealmUserEvent,
  RealmBotEvent,
  UserGroupEvent,
  SubscriptionEvent,
  StreamEvent,
  RealmEvent,
] as const;
const deactivationEvents = [...activityEvents, InvitesChangedEvent] as const;

const setOwner: Permission = {
  to: 'make a user an owner',
  when: 'role=100',
  grants: ['owner'],
  refusal: 'UNAUTHORIZED_PRINCIPAL',
};
const changeAddress: readonly Permission[] = [
  {
    to: 'change the address of a user',
    when: 'new_email',
    grants: ['owner'],
    refusal: 'UNAUTHORIZED_PRINCIPAL',
  },
  {
    to: 'change addresses of users',
    when: 'new_email',
    grants: ['account.can_change_user_emails'],
  },
];
/** The permission to deactivate an owner, to reactivate one, or to give one another role. */
const changeOwner: Permission = {
  to: 'change an owner',
  where: 'the user is an owner',
  grants: ['owner'],
  refusal: 'UNAUTHORIZED_PRINCIPAL',
};

/** Operations of administrators that create, change, deactivate and reactivate users. */
export const manageUsers = {
  create: endpoint('POST /users', {
    summary: 'Create a user',
    description:
      'For administrators with the permission `can_create_users`, which the first owner of a realm has. The user joins the default channels, and gets the welcome messages and the welcome mail.',
    access: 'admin',
    permissions: [{ to: 'create users', grants: ['account.can_create_users'] }],
    steps: true,
    params: {
      email: Email.max(MAX_EMAIL_LENGTH),
      password: z.string().max(MAX_PASSWORD_LENGTH),
      full_name: FullName.max(MAX_NAME_LENGTH),
    },
    result: { user_id: UserId },
    emits: [
      RealmUserEvent,
      UserGroupEvent,
      StreamEvent,
      SubscriptionEvent,
      MessageEvent,
      InvitesChangedEvent,
    ],
  }),

  update: endpoint('PATCH /users/{user_id}', {
    summary: 'Update a user',
    description:
      'Accepts an ID or an e-mail address: `PATCH /users/{email}` (feature level 313). Only owners add or remove the role of an owner, and the only owner keeps it. A guest becomes a member before they become an administrator. A new role ends the event queues of the user: the client registers again. A new address ends their push devices, too: their apps log in again. Bots with a higher role than the new one of their owner get new API keys. A bot gets a name and a role as with `PATCH /bots/{bot_id}`.',
    access: 'admin',
    permissions: [setOwner, ...changeAddress, changeOwner],
    paramsSince: { new_email: 285 },
    params: {
      user_id: UserIdOrAddress,
      full_name: FullName.max(MAX_NAME_LENGTH).optional(),
      role: Role.optional(),
      profile_data: ProfileValues.optional(),
      new_email: z.string().max(MAX_EMAIL_LENGTH).optional().meta({
        description: 'Only for owners with the permission `can_change_user_emails`',
      }),
    },
    emits: [
      RealmUserEvent,
      RealmBotEvent,
      UserGroupEvent,
      InvitesChangedEvent,
      PushDeviceEvent,
      ClientDeviceEvent,
    ],
  }),

  deactivate: endpoint('DELETE /users/{user_id}', {
    summary: 'Deactivate a user',
    paramsSince: { deactivation_notification_comment: 135 },
    description:
      'Ends the logins, the event queues, the push devices and the invitations of the user on every server, and deactivates their bots. Only an owner deactivates an owner.',
    access: 'admin',
    permissions: [changeOwner],
    params: {
      user_id: UserId,
      deactivation_notification_comment: z.string().max(MAX_COMMENT_LENGTH).optional().meta({
        description: 'If sent, even empty, the user gets an e-mail that contains it',
      }),
    },
    emits: deactivationEvents,
  }),

  deactivateSelf: endpoint('DELETE /users/me', {
    summary: 'Deactivate your own user',
    access: 'human',
    locks: 'realm',
    errors: ['CANNOT_DEACTIVATE_LAST_USER'],
    emits: deactivationEvents,
  }),

  reactivate: endpoint('POST /users/{user_id}/reactivate', {
    summary: 'Reactivate a user or a bot',
    description:
      'The user has their subscriptions and groups again, and a new API key. A bot keeps its key, unless it has no active owner: then the caller is its owner, and the key is new. The bots of a user stay deactivated.',
    access: 'admin',
    permissions: [changeOwner],
    params: { user_id: UserId },
    emits: activityEvents,
  }),
};
