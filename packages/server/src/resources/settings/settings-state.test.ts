import { expect, test } from 'vitest';

import { startTestChat } from '../../test-chat.fixture.ts';

test('the defaults of the realm have every setting of a user but the four that each user has alone', async () => {
  await using chat = await startTestChat();
  const { user_settings, realm_user_settings_defaults: defaults } =
    await chat.people.hamlet.client.queues.register({
      fetch_event_types: ['user_settings', 'realm_user_settings_defaults'],
    });
  const personal = Object.keys(user_settings ?? {}).filter((name) => !(name in (defaults ?? {})));
  expect(personal.toSorted()).toEqual([
    'default_language',
    'enable_login_emails',
    'enable_marketing_emails',
    'timezone',
  ]);
  expect(defaults).toMatchObject({
    color_scheme: 1,
    available_notification_sounds: ['ding', 'chime', 'none'],
  });
});
