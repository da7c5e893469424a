import { startTestChat, type TestChat } from '@bellhop/server/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let chat: TestChat;
beforeAll(async () => {
  chat = await startTestChat();
});
afterAll(() => chat[Symbol.asyncDispose]());

describe('parameters that clients rarely send', () => {
  test('POST /bots takes the interface, the configuration and default_all_public_streams', async () => {
    const bot = await chat.people.hamlet.client.bots.create({
      full_name: 'Hook',
      short_name: 'hook',
      bot_type: 3,
      payload_url: 'http://127.0.0.1:9999/',
      interface_type: 2,
      config_data: { city: 'Elsinore' },
      default_all_public_streams: true,
    });
    expect(bot.default_all_public_streams).toBe(true);
  });

  test('PATCH /realm/profile_fields/{field_id} changes who edits a field and where it is shown', async () => {
    const { customProfileFields } = chat.people.iago.client;
    const { id } = await customProfileFields.add({ name: 'Team', field_type: 1 });
    const flags = { display_in_profile_summary: true, required: true, editable_by_user: false };
    await customProfileFields.update({ field_id: id, ...flags });
    const { custom_fields } = await customProfileFields.list();
    expect(custom_fields.find((field: { readonly id: number }) => field.id === id)).toMatchObject(
      flags,
    );
  });

  test('POST /invites/multiuse takes the default channels and a welcome text', async () => {
    const { invite_link } = await chat.people.iago.client.invites.createLink({
      include_realm_default_subscriptions: true,
      welcome_message_custom_text: 'Welcome!',
    });
    expect(invite_link).toContain('/join/');
  });

  test('GET /messages/matches_narrow shows the empty topic as the client allows it', async () => {
    const { client } = chat.people.hamlet;
    await client.subscriptions.add({ subscriptions: [{ name: 'verona' }] });
    const message = { type: 'channel', to: 'verona', topic: '', content: 'x' } as const;
    const { id } = await client.messages.send(message);
    const matches = await client.messages.matchesNarrow({
      msg_ids: [id],
      allow_empty_topic_name: true,
    });
    expect(matches.messages[id]?.match_subject).toBe('');
  });

  test('PATCH /realm sets the time limits of editing and deleting, and the video calls', async () => {
    const { client } = chat.people.desdemona;
    await client.realms.update({
      message_content_delete_limit_seconds: 3600,
      message_content_edit_limit_seconds: 7200,
      video_chat_provider: 0,
    });
    const state = await client.queues.register({ fetch_event_types: ['realm'] });
    expect(state).toMatchObject({
      realm_message_content_delete_limit_seconds: 3600,
      realm_message_content_edit_limit_seconds: 7200,
      realm_video_chat_provider: 0,
    });
  });

  test('POST /users/{user_id}/status sets an emoji and the absence of a user', async () => {
    const { iago, hamlet } = chat.people;
    const user_id = hamlet.user.id;
    const emoji = { emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'unicode_emoji' };
    const fields = { ...emoji, away: 'true' };
    const { body } = await chat.ask(iago, `POST /users/${user_id}/status`, fields);
    expect(body).toMatchObject({ result: 'success' });
    expect(await iago.client.userStatus.get({ user_id })).toMatchObject({ status: emoji });
  });
});

test.each([
  ['PATCH /settings', 'full_name', 100, {}],
  ['POST /user_groups/create', 'name', 100, { description: '', members: '[]' }],
  ['POST /realm/profile_fields', 'name', 40, { field_type: '1' }],
  ['POST /realm/profile_fields', 'hint', 80, { field_type: '1', name: 'Hinted' }],
  ['POST /default_stream_groups/create', 'group_name', 60, { description: '', stream_names: '[]' }],
  [
    'POST /default_stream_groups/create',
    'description',
    1024,
    { group_name: 'g', stream_names: '[]' },
  ],
] as const)('%s counts the characters of %s: at most %d', async (route, name, most, others) => {
  const ask = (count: number) =>
    chat.ask(chat.people.desdemona, route, { ...others, [name]: '\u{1F600}'.repeat(count) });
  expect(await ask(most)).toMatchObject({ status: 200 });
  expect(await ask(most + 1)).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
});

test('an alert word has at most 100 characters', async () => {
  const { alertWords } = chat.people.hamlet.client;
  await alertWords.add({ alert_words: ['\u{1F600}'.repeat(100)] });
  await expect(alertWords.add({ alert_words: ['\u{1F600}'.repeat(101)] })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
  });
});
