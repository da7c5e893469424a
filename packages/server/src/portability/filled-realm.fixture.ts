import { expect } from 'vitest';

import { upload } from '../resources/uploads/uploads.fixture.ts';
import type { TestChat } from '../test-chat.fixture.ts';

/** Gives a realm something of each kind that a move carries over. */
export async function fillRealm(chat: TestChat): Promise<{ file: string }> {
  const { desdemona, iago, hamlet, cordelia, polonius } = chat.people;
  const ask = async (
    person: typeof hamlet,
    route: string,
    fields: Record<string, unknown> = {},
  ) => {
    const texts = Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]);
    const { status, body } = await chat.ask(person, route, Object.fromEntries(texts));
    expect([status, body['result'], body['msg']]).toEqual([200, 'success', '']);
    return body;
  };
  const id = ({ user }: typeof hamlet) => user.id;
  const users = [hamlet, cordelia, polonius].map(id);
  await ask(desdemona, 'PATCH /realm', {
    description: 'The castle of *Elsinore*',
    waiting_period_threshold: 3,
    message_content_edit_limit_seconds: 'unlimited',
    topics_policy: 'disable_empty_topic',
  });
  await ask(desdemona, 'PATCH /realm', { topics_policy: 'allow_empty_topic' });
  const emojiForm = new FormData();
  emojiForm.set('file', new File([await png()], 'skull.png'));
  const added = await fetch(`${chat.url}/api/v1/realm/emoji/skull`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${iago.email}:${iago.api_key}`)}` },
    body: emojiForm,
  });
  expect(added.status).toBe(200);
  await ask(iago, 'POST /realm/filters', {
    pattern: '#(?P<id>[0-9]+)',
    url_template: 'https://example.com/{id}',
  });
  await ask(iago, 'POST /realm/profile_fields', { name: 'Phone', hint: 'At night', field_type: 1 });
  const fields = (await ask(iago, 'GET /realm/profile_fields'))['custom_fields'] as {
    id: number;
  }[];
  await ask(hamlet, 'PATCH /users/me/profile_data', {
    data: [{ id: fields[0]?.id, value: '+45' }],
  });
  const group = await ask(iago, 'POST /user_groups/create', {
    name: 'Players',
    description: 'Who act',
    members: users.slice(0, 2),
  });
  const folder = await ask(iago, 'POST /channel_folders/create', {
    name: 'Rooms',
    description: 'All',
  });
  await ask(hamlet, 'POST /users/me/subscriptions', {
    subscriptions: [{ name: 'Ramparts', description: 'At **night**' }],
    principals: users,
  });
  await ask(iago, 'POST /users/me/subscriptions', {
    subscriptions: [{ name: 'Closet' }],
    principals: [id(iago), id(cordelia)],
    invite_only: true,
    history_public_to_subscribers: false,
  });
  const channel = async (name: string) =>
    Number((await ask(iago, 'GET /get_stream_id', { stream: name }))['stream_id']);
  const ramparts = await channel('Ramparts');
  await ask(iago, `PATCH /streams/${ramparts}`, {
    folder_id: folder['channel_folder_id'],
    can_send_message_group: {
      new: { direct_members: [id(hamlet)], direct_subgroups: [group['group_id']] },
    },
  });
  const file = await upload(hamlet, 'Words, words, words', 'words.txt');
  const picture = await upload(cordelia, await png(), 'flower.png');
  const send = async (
    person: typeof hamlet,
    to: string | number[],
    topic: string,
    content: string,
  ) =>
    Number(
      (
        await ask(person, 'POST /messages', {
          type: typeof to === 'string' ? 'channel' : 'direct',
          to: typeof to === 'string' ? to : to,
          ...(typeof to === 'string' ? { topic } : {}),
          content,
        })
      )['id'],
    );
  const ghost = await send(
    hamlet,
    'Ramparts',
    'ghost',
    `Angels! @**Cordelia** see [words](${file}) and #7`,
  );
  await send(cordelia, 'Ramparts', 'ghost', `@*Players* ![flower](${picture}) :skull: :smile:`);
  await send(
    cordelia,
    'Ramparts',
    '',
    `In #**Ramparts>ghost@${ghost}** and #**Ramparts**, @**Hamlet|${id(hamlet)}**`,
  );
  const secret = await send(iago, 'Closet', 'whispers', 'Behind the arras @**all**');
  await send(hamlet, [id(cordelia)], '', 'Nymph, in thy orisons');
  const three = await send(cordelia, [id(hamlet), id(iago)], '', 'My lord, I have remembrances');
  await send(hamlet, [id(hamlet)], '', 'To be');
  const poll = await send(cordelia, 'Ramparts', 'votes', '/poll To be?\nyes\nno');
  await ask(hamlet, `POST /messages/${ghost}/reactions`, { emoji_name: 'skull' });
  await ask(cordelia, `POST /messages/${ghost}/reactions`, { emoji_name: 'tada' });
  await ask(cordelia, `POST /messages/${three}/reactions`, { emoji_name: 'heart' });
  await ask(hamlet, 'POST /submessage', {
    message_id: poll,
    msg_type: 'widget',
    content: JSON.stringify({ type: 'vote', key: 'canned,0', vote: 1 }),
  });
  await ask(hamlet, `PATCH /messages/${ghost}`, {
    content: `Angels and ministers! @**Cordelia** see [words](${file}) and #7`,
  });
  await ask(iago, `PATCH /messages/${secret}`, { topic: 'louder whispers' });
  await ask(hamlet, 'POST /messages/flags', {
    messages: [ghost, poll],
    op: 'add',
    flag: 'starred',
  });
  await ask(cordelia, 'POST /messages/flags', { messages: [ghost], op: 'add', flag: 'read' });
  await ask(hamlet, 'POST /user_topics', {
    stream_id: ramparts,
    topic: 'votes',
    visibility_policy: 3,
  });
  await ask(hamlet, 'PATCH /settings', {
    twenty_four_hour_time: true,
    timezone: 'Europe/Copenhagen',
  });
  await ask(hamlet, 'POST /users/me/alert_words', { alert_words: ['ghost'] });
  await ask(cordelia, `POST /users/me/muted_users/${id(iago)}`);
  await ask(hamlet, 'POST /users/me/status', { status_text: 'Reading', emoji_name: 'book' });
  await ask(hamlet, 'POST /saved_snippets', { title: 'Out', content: 'Out, damned spot' });
  await ask(hamlet, 'POST /drafts', {
    drafts: [
      {
        type: 'stream',
        to: [ramparts],
        topic: 'ghost',
        content: 'Murder',
        timestamp: 1_600_000_000,
      },
    ],
  });
  await ask(hamlet, 'POST /users/me/subscriptions/properties', {
    subscription_data: [{ stream_id: ramparts, property: 'pin_to_top', value: true }],
  });
  await ask(hamlet, 'POST /bots', {
    full_name: 'Yorick',
    short_name: 'yorick',
    bot_type: 3,
    payload_url: '"http://127.0.0.1:4999/"',
  });
  // Messages keep who was meant by them, also if that person has another name later.
  await ask(cordelia, 'PATCH /settings', { full_name: 'Cordelia of France' });
  await ask(desdemona, `DELETE /users/${id(polonius)}`);
  const archived = await ask(iago, 'POST /users/me/subscriptions', {
    subscriptions: [{ name: 'Ruins' }],
  });
  expect(archived['result']).toBe('success');
  await ask(iago, `DELETE /streams/${await channel('Ruins')}`);
  return { file };
}

async function png(): Promise<Uint8Array<ArrayBuffer>> {
  const { default: sharp } = await import('sharp');
  const create = { width: 120, height: 80, channels: 3, background: '#aa3366' } as const;
  return new Uint8Array(await sharp({ create }).png().toBuffer());
}
