import { z } from 'zod';

import { Email, FullName, Secret, Timestamp } from '../values/fields.ts';
import { ChannelId, InviteId, UserGroupId, UserId } from '../values/ids.ts';
import {
  MAX_EMAIL_LENGTH,
  MAX_LIST_LENGTH,
  MAX_NAME_LENGTH,
  MAX_WORD_LENGTH,
} from '../values/limits.ts';
import { endpoint } from '../wire/endpoint.ts';
import { event } from '../wire/event.ts';
import type { Permission } from '../wire/permission.ts';
import { resource } from '../wire/resource.ts';
import { StreamEvent, SubscriptionEvent } from './channels/channel-events.ts';
import { InvitesChangedEvent } from './invite-events.ts';
import { MessageEvent } from './messages/message-events.ts';
import { UserGroupEvent } from './user-groups/user-group-events.ts';
import { MAX_PASSWORD_LENGTH } from './users/manage-users.ts';
import { roles } from './users/roles.ts';
import { RealmUserEvent } from './users/user-events.ts';
import { Role } from './users/user.ts';

/** The text of a welcome message (spec, Limits). */
export const MAX_WELCOME_LENGTH = 8000;
/** Addresses that one call may invite. */
export const MAX_INVITEES = 1000;
const MAX_INVITEES_LENGTH = 100_000;
const MINUTES_OF_100_YEARS = 52_560_000;

const invite = {
  id: InviteId,
  invited_by_user_id: UserId,
  /** UNIX time in seconds. */
  invited: z.int(),
  /** UNIX time in seconds; null: never. */
  expiry_date: Timestamp.nullable(),
  invited_as: Role,
};

/** An open invitation: to one e-mail address, or a reusable link. */
export const Invite = z
  .discriminatedUnion('is_multiuse', [
    z.object({
      ...invite,
      is_multiuse: z.literal(false),
      email: Email,
      notify_referrer_on_join: z.boolean(),
    }),
    z.object({ ...invite, is_multiuse: z.literal(true), link_url: z.string() }),
  ])
  .meta({ id: 'Invite' });
export type Invite = z.output<typeof Invite>;

const grants = {
  invite_expires_in_minutes: z.int().min(1).max(MINUTES_OF_100_YEARS).nullable().optional().meta({
    description:
      'null: never; by default 14400 minutes, unless the server has another BELLHOP_INVITE_MINUTES',
  }),
  invite_as: Role.default(roles.member).meta({
    description:
      'Only owners invite owners, only administrators invite administrators and moderators',
  }),
  group_ids: z
    .array(UserGroupId)
    .max(MAX_LIST_LENGTH)
    .default([])
    .meta({ description: 'Groups to which you may add members' }),
  include_realm_default_subscriptions: z
    .boolean()
    .default(false)
    .meta({ description: 'Subscribe to the default channels too' }),
  welcome_message_custom_text: z.string().max(MAX_WELCOME_LENGTH).nullable().default(null).meta({
    quotable: true,
    description:
      "Markdown of a welcome message; empty: none; null, and whatever a caller sends who is no administrator: the realm's own",
  }),
};
const grantsSince = {
  invite_expires_in_minutes: 126,
  group_ids: 322,
  include_realm_default_subscriptions: 261,
  welcome_message_custom_text: 416,
};
const streamIds = z.array(ChannelId).max(MAX_LIST_LENGTH).meta({
  description:
    'Channels beside the default channels: each a default channel or one to which you may add subscribers (empty since feature level 180)',
});

const InviteKey = Secret.max(MAX_WORD_LENGTH).meta({
  description: 'The part of the link after `/join/`',
});

/** The permissions that an invitation requires, depending on what it grants. */
const grantPermissions: readonly Permission[] = [
  {
    to: 'invite owners',
    when: 'invite_as=100',
    grants: ['owner'],
    refusal: 'UNAUTHORIZED_PRINCIPAL',
  },
  {
    to: 'invite administrators',
    when: 'invite_as=200',
    grants: ['admin'],
    refusal: 'UNAUTHORIZED_PRINCIPAL',
  },
  {
    to: 'invite moderators',
    when: 'invite_as=300',
    grants: ['admin'],
    refusal: 'UNAUTHORIZED_PRINCIPAL',
  },
  {
    to: 'subscribe the invited users',
    when: 'stream_ids',
    grants: [
      'admin',
      'channel.can_administer_channel_group',
      'channel.can_add_subscribers_group',
      'realm.can_add_subscribers_group',
    ],
  },
  {
    to: 'add the invited users to user groups',
    when: 'group_ids',
    grants: [
      'realm.can_manage_all_groups',
      'group.can_manage_group',
      'group.can_add_members_group',
    ],
  },
];
const manageInvite: Permission = { to: 'change the invitation', grants: ['admin', 'own'] };

const endpoints = {
  list: endpoint('GET /invites', {
    summary: 'Get the invitations that nobody has accepted',
    description: 'Administrators get all of them, others their own. Expired ones are left out.',
    access: 'human',
    permissions: [{ to: 'list invitations', grants: ['member'] }],
    result: { invites: z.array(Invite) },
  }),

  send: endpoint('POST /invites', {
    summary: 'Invite people by e-mail',
    description:
      'Sends a mail to each address; its link works once. If some addresses have accounts, the others are invited and the answer is INVITATION_FAILED with `sent_invitations`.',
    access: 'human',
    locks: 'realm',
    permissions: [
      { to: 'invite users', grants: ['realm.can_invite_users_group'] },
      ...grantPermissions,
    ],
    paramsSince: { ...grantsSince, notify_referrer_on_join: 267 },
    steps: true,
    params: {
      invitee_emails: z
        .string()
        .max(MAX_INVITEES_LENGTH)
        .meta({
          description: `Up to ${MAX_INVITEES} addresses separated by commas or newlines, each as \`a@example.com\` or \`Name <a@example.com>\``,
          example: 'ada@example.com, Alan <alan@example.com>',
        }),
      ...grants,
      stream_ids: streamIds,
      notify_referrer_on_join: z.boolean().default(true).meta({
        description: 'Get a direct message when one of them joins',
      }),
    },
    errors: ['INVITATION_FAILED'],
    emits: [InvitesChangedEvent],
  }),

  revoke: endpoint('DELETE /invites/{invite_id}', {
    summary: 'Revoke an invitation by e-mail',
    access: 'human',
    locks: 'realm',
    permissions: [manageInvite],
    params: { invite_id: InviteId },
    emits: [InvitesChangedEvent],
  }),

  resend: endpoint('POST /invites/{invite_id}/resend', {
    summary: 'Send an invitation by e-mail again',
    description:
      'The time until it expires begins again. The link of the new mail works, those of earlier mails no longer do.',
    access: 'human',
    locks: 'realm',
    permissions: [manageInvite],
    params: { invite_id: InviteId },
    errors: ['INVITATION_FAILED'],
    emits: [InvitesChangedEvent],
  }),

  createLink: endpoint('POST /invites/multiuse', {
    summary: 'Create a reusable invitation link',
    access: 'human',
    locks: 'realm',
    permissions: [
      { to: 'create an invitation link', grants: ['realm.create_multiuse_invite_group'] },
      ...grantPermissions,
    ],
    paramsSince: grantsSince,
    params: { ...grants, stream_ids: streamIds.default([]) },
    result: { invite_link: z.string() },
    emits: [InvitesChangedEvent],
  }),

  revokeLink: endpoint('DELETE /invites/multiuse/{invite_id}', {
    summary: 'Revoke a reusable invitation link',
    access: 'human',
    locks: 'realm',
    permissions: [manageInvite],
    params: { invite_id: InviteId },
    emits: [InvitesChangedEvent],
  }),

  request: endpoint('POST /invites/request', {
    summary: 'Ask for a mail that lets you join',
    description:
      'By a reusable link, or without one if `invite_required` is off. The mail confirms the address. The answer does not tell whether the address has an account; the mail does.',
    access: 'anyone',
    locks: 'realm',
    params: {
      key: InviteKey.optional(),
      email: Email.max(MAX_EMAIL_LENGTH),
    },
  }),

  accept: endpoint('POST /invites/accept', {
    summary: 'Create your account by an invitation',
    description:
      'With the key of the link in the mail. The page of the link does the same for people.',
    access: 'anyone',
    locks: 'realm',
    steps: true,
    params: {
      key: InviteKey,
      full_name: FullName.max(MAX_NAME_LENGTH),
      password: z.string().max(MAX_PASSWORD_LENGTH),
      default_stream_groups: z
        .array(z.string().max(MAX_NAME_LENGTH))
        .max(MAX_LIST_LENGTH)
        .default([])
        .meta({
          description: 'The names of default channel groups to subscribe to; not for guests',
        }),
    },
    result: { user_id: UserId, email: Email, api_key: Secret },
    emits: [
      RealmUserEvent,
      UserGroupEvent,
      StreamEvent,
      SubscriptionEvent,
      MessageEvent,
      InvitesChangedEvent,
    ],
  }),
};

export const invites = resource({
  endpoints,
  events: [event(InvitesChangedEvent, 'changes no state')],
});
