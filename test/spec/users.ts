import { names, type SpecSection } from './spec-section.ts';

export const users: readonly SpecSection[] = [
  {
    section: 'Update a user',
    route: 'PATCH /users/{user_id}',
    parametersSince: { new_email: 285 },
    values: { role: [100, 200, 300, 400, 600] },
    parameters: names('user_id full_name role profile_data new_email'),
    errors: ['BAD_REQUEST: Guests cannot be organization administrators'],
    events: ['realm_user'],
    rules: {
      'Only administrators may update a user':
        'users/manage-users.test.ts > members, moderators and guests may not change users',
      'Only owners give and take the role of an owner':
        'users/manage-users.test.ts > only an owner makes an owner or takes the role from one',
      'The only owner keeps the role': 'users/manage-users.test.ts > the only owner keeps the role',
      'Changing an address requires an owner with can_change_user_emails':
        'users/manage-users.test.ts > an owner with can_change_user_emails changes an address; viewers get the new one',
      'A guest becomes a member before an administrator':
        'users/manage-users.test.ts > a guest becomes an administrator only by way of another role',
      'Only an owner changes the role of an owner, and only an owner changes an address':
        'test/permissions.test.ts > roles without a setting',
    },
  },
  {
    section: 'Deactivate a user',
    route: 'DELETE /users/{user_id}',
    parametersSince: { deactivation_notification_comment: 135 },
    parameters: names('user_id deactivation_notification_comment'),
    errors: ['BAD_REQUEST: Cannot deactivate the only organization owner'],
    events: ['realm_user'],
    rules: {
      'Only administrators deactivate users; the only owner stays active':
        'users/manage-users.test.ts > is refused to members, to administrators for an owner, for the only owner, and for a bot',
      'The sessions, queues and bots of a deactivated user end':
        'users/manage-users.test.ts > the API key, queues, polls and bots of the user end on every node',
      'A comment that is not null is sent to the user by e-mail':
        'users/deactivation-mail.test.ts > sends the user a mail that quotes the comment',
      'An empty comment sends a mail without a quote, a missing one sends no mail':
        'users/deactivation-mail.test.ts > empty sends a mail without a quote',
      'A deactivated user is refused everywhere':
        'test/permissions.test.ts > admits and refuses callers as declared',
      'Only an owner deactivates an owner': 'test/permissions.test.ts > roles without a setting',
    },
  },
];
