import { startTestChat, type TestChat } from '@bellhop/server/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { pageText } from './docs/examples-in.ts';

let chat: TestChat;
let ids: { channel: number; bot: number; victim: number; field: number };
beforeAll(async () => {
  chat = await startTestChat();
  const { client } = chat.people.desdemona;
  await client.subscriptions.add({ subscriptions: [{ name: 'stage' }] });
  const { stream_id: channel } = await client.channels.id({ stream: 'stage' });
  const { user_id: bot } = await client.bots.create({ full_name: 'Bot', short_name: 'keeper' });
  const { user } = await chat.addPerson('victim');
  const { id: field } = await client.customProfileFields.add({ name: 'Pet', field_type: 1 });
  ids = { channel, bot, victim: user.id, field };
});
afterAll(() => chat[Symbol.asyncDispose]());

/** As the owner, with the variables of the path from `ids`. */
const ask = (route: string, fields: Record<string, string> = {}) =>
  chat.ask(
    chat.people.desdemona,
    route.replaceAll(/\{(\w+)\}/g, (_all, name) => String(ids[name as keyof typeof ids])),
    fields,
  );

/** The cell of docs/server.md that says what the server does about a level. */
function answerOnPage(level: number): string {
  const rows = [...pageText('docs/server.md').matchAll(/^\| ([\d, ]+?) +\| .*? \| (.*?) +\|$/gm)];
  const row = rows.find(([, levels = '']) => levels.split(', ').includes(String(level)));
  return row?.[2] ?? '';
}

describe('what the public API has added since level 420 is answered as docs/server.md says', () => {
  test.each([
    [440, 'GET /users/{bot}/channels'],
    [449, 'POST /export/realm'],
    [463, 'GET /bots/{bot}/api_key'],
    [465, 'POST /calls/nextcloud_talk/create'],
  ])('%i: %s is missing', async (level, route) => {
    expect((await ask(route)).status).toBe(404);
    expect(answerOnPage(level)).toContain('missing');
  });

  test.each([
    [434, 'PATCH /realm', 'send_channel_events_messages', 'false'],
    [441, 'PATCH /streams/{channel}', 'can_create_topic_group', '{"new": 1}'],
    [447, 'PATCH /bots/{bot}', 'short_name', 'gatekeeper'],
    [455, 'PATCH /realm/profile_fields/{field}', 'use_for_user_matching', 'true'],
    [459, 'DELETE /users/{victim}', 'actions', '{"delete_profile": true}'],
    [469, 'PATCH /realm', 'media_preview_size', '200'],
  ])('%i: %s ignores %s', async (level, route, name, value) => {
    const { body } = await ask(route, { [name]: value });
    expect(body).toMatchObject({ result: 'success', ignored_parameters_unsupported: [name] });
    expect(answerOnPage(level)).toContain('ignored');
  });

  const page = { num_before: '1', num_after: '0' };
  test.each([
    [445, { ...page, anchor: 'date', anchor_date: '2026-01-01' }, 'BAD_REQUEST'],
    [446, { ...page, anchor: 'newest', narrow: '[["mentions", "7"]]' }, 'BAD_NARROW'],
  ])('%i: messages by %o are refused', async (level, fields, code) => {
    expect((await ask('GET /messages', fields)).body).toMatchObject({ code });
    expect(answerOnPage(level)).toContain('refused');
  });

  test('444: PATCH /settings for others is refused', async () => {
    expect(
      (await ask('PATCH /settings', { target_users: '{"user_ids": [7]}' })).body,
    ).toMatchObject({
      code: 'BAD_REQUEST',
      msg: 'target_users: must be left out: nobody can change the settings of others',
    });
    expect(answerOnPage(444)).toContain('refused');
  });

  test('448: the e-mail address of a channel is empty', async () => {
    expect((await ask('GET /streams/{channel}/email_address')).body).toMatchObject({ email: '' });
    expect(answerOnPage(448)).toContain('empty');
  });

  test('458: the subscriptions and memberships of a bot are served', async () => {
    const subscribed = await ask('GET /users/{bot}/subscriptions/{channel}');
    expect(subscribed.body).toMatchObject({ is_subscribed: false });
    const { client } = chat.people.desdemona;
    const members = [ids.bot];
    const group = await client.userGroups.create({ name: 'bots', description: '', members });
    expect((await ask(`GET /user_groups/${group.group_id}/members/{bot}`)).body).toMatchObject({
      is_user_group_member: true,
    });
    expect(answerOnPage(458)).toContain('served');
  });

  test('463: the list of bots has their keys instead', async () => {
    const state = await chat.people.desdemona.client.queues.register({
      fetch_event_types: ['realm_bot'],
    });
    expect(state.realm_bots).toMatchObject([{ api_key: expect.any(String) }]);
  });
});
