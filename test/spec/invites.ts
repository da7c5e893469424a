import { names, type SpecSection } from './spec-section.ts';

export const invites: readonly SpecSection[] = [
  {
    section: 'Send invitations',
    route: 'POST /invites',
    parametersSince: {
      invite_expires_in_minutes: 126,
      group_ids: 322,
      include_realm_default_subscriptions: 261,
      notify_referrer_on_join: 267,
      welcome_message_custom_text: 416,
    },
    defaults: {
      invite_as: 400,
      include_realm_default_subscriptions: false,
      notify_referrer_on_join: true,
    },
    values: { invite_as: [100, 200, 300, 400, 600] },
    parameters: names(`
      invitee_emails invite_expires_in_minutes invite_as stream_ids group_ids
      include_realm_default_subscriptions notify_referrer_on_join welcome_message_custom_text`),
    errors: [
      'INVITATION_FAILED',
      'BAD_REQUEST: Insufficient permission',
      'BAD_REQUEST: You must specify at least one email address.',
      'BAD_REQUEST: Invalid channel ID',
      'BAD_REQUEST: You do not have permission to subscribe other users to channels.',
    ],
    rules: {
      'A user invites only to roles with at least the restrictions of their own':
        'invites/invites.test.ts > by %s with invite_as %i: %s',
      'An invitation expires after 14400 minutes unless it says otherwise; null never expires':
        'invites/invites.test.ts > with invite_expires_in_minutes %j expires after %j s',
      'The groups of an invitation are those to which the inviter may add users':
        'invites/invites.test.ts > names only groups to which the inviter may add users',
      'notify_referrer_on_join tells the inviter that somebody has joined':
        'invites/accept-invite.test.ts > tells the inviter nothing with notify_referrer_on_join false; an empty welcome text sends only the greeting',
      'Only administrators set the text of the welcome message, of at most 8000 characters':
        'invites/invites.test.ts > keeps a welcome text only of administrators',
      'An invitation is accepted once, also by two at the same time':
        'invites/accept-invite.test.ts > works once, also for two at the same time',
      'An expired or revoked invitation is refused':
        'invites/accept-invite.test.ts > is refused after it expired, was revoked or was sent again',
      'An invitation of somebody who has an account meanwhile is refused':
        'invites/accept-invite.test.ts > is refused to somebody who has an account meanwhile',
      'Accepting an invitation creates the account with the promised role and channels':
        'invites/accept-invite.test.ts > creates the account with role, channels and messages that were promised',
      'INVITATION_FAILED says which addresses have accounts; the others are invited':
        'invites/invites.test.ts > invites the others if some have accounts, and names deactivated ones',
      'Only those in can_invite_users_group invite; guests and bots never':
        'invites/invites.test.ts > is refused to guests, to bots and to those outside can_invite_users_group',
      'Each role may be promised only by the roles that the contract lists':
        'test/permissions.test.ts > roles without a setting',
      'Channels may be promised only by those who may add subscribers to them':
        'test/permissions.test.ts > each setting of realm, channel and user group grants a permission',
      'Groups may be promised only by those who may add members to them':
        'test/permissions.test.ts > each setting of realm, channel and user group grants a permission',
      'One malformed address refuses the whole request':
        'invites/invites.test.ts > refuses all addresses if one is malformed',
      'An empty welcome text sends no text of the realm':
        'invites/accept-invite.test.ts > tells the inviter nothing with notify_referrer_on_join false; an empty welcome text sends only the greeting',
    },
  },
];
