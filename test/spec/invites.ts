import { names, type SpecSection } from './spec-section.ts';

export const invites: readonly SpecSection[] = [
  {
    section: 'Send invitations',
    route: 'POST /invites',
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
      'A user invites only to roles with at least the restrictions of their own': '',
      'An invitation expires after 14400 minutes unless it says otherwise; null never expires': '',
      'The groups of an invitation are those to which the inviter may add users': '',
      'notify_referrer_on_join tells the inviter that somebody has joined': '',
      'Only administrators set the text of the welcome message, of at most 8000 characters': '',
      'INVITATION_FAILED says which addresses have accounts; the others are invited': '',
    },
  },
];
