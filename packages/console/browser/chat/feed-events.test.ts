import type { QueuedEvent } from '@bellhop/protocol';
import { describe, expect, test } from 'vitest';

import { appliedToMessages, belongsTo, conversationOf } from './feed-events.ts';
import { message } from './message.fixture.ts';
import type { View } from './view.ts';

const messages = [message(1), message(2), message(3)];
const applied = (event: object) => appliedToMessages(messages, event as QueuedEvent);
const edit = {
  type: 'update_message',
  user_id: 7,
  rendering_only: false,
  message_ids: [],
  flags: ['read'],
  edit_timestamp: 99,
};

describe('an event', () => {
  test('of other messages leaves the list as it is', () => {
    for (const event of [
      { type: 'delete_message', message_type: 'stream', message_ids: [9] },
      { type: 'update_message_flags', op: 'add', flag: 'starred', messages: [9], all: false },
      { ...edit, message_id: 9, content: 'x', rendered_content: '<p>x</p>' },
      { type: 'heartbeat' },
    ])
      expect(applied(event)).toBe(messages);
  });

  test('of an edit ends the buttons of the message, one of a new rendering does not', () => {
    const widget = { id: 4, message_id: 1, sender_id: 7, msg_type: 'widget', content: '{}' };
    const asked = [message(1, { submessages: [widget] })];
    const event = { ...edit, message_id: 1, content: 'x', rendered_content: '<p>x</p>' };
    const after = (one: object) => appliedToMessages(asked, one as QueuedEvent)[0]?.submessages;
    expect(after({ ...event, rendering_only: true })).toHaveLength(1);
    expect(after(event)).toEqual([]);
  });

  test.each([
    ['one message', { message_id: 2 }],
    ['several', { message_ids: [2, 9] }],
  ])('that deletes %s removes them', (_name, ids) => {
    const left = applied({ type: 'delete_message', message_type: 'stream', ...ids });
    expect(left.map(({ id }) => id)).toEqual([1, 3]);
  });

  test('of flags adds and removes one flag, also twice', () => {
    const event = { type: 'update_message_flags', flag: 'starred', messages: [1, 3], all: false };
    const add = { ...event, op: 'add' } as unknown as QueuedEvent;
    const added = appliedToMessages(applied(add), add);
    expect(added.map(({ flags }) => flags)).toEqual([
      ['read', 'starred'],
      ['read'],
      ['read', 'starred'],
    ]);
    const removed = appliedToMessages(added, { ...event, op: 'remove' } as unknown as QueuedEvent);
    expect(removed).toEqual(messages);
  });

  test('of a reaction adds it once for each user, and removes that of the user alone', () => {
    const emoji = { emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'unicode_emoji' };
    const by = (user_id: number, op = 'add') =>
      ({ type: 'reaction', op, message_id: 2, user_id, ...emoji }) as unknown as QueuedEvent;
    const all = [by(7), by(8), by(7)].reduce(appliedToMessages, messages);
    expect(all[1]?.reactions.map(({ user_id }) => user_id)).toEqual([8, 7]);
    const left = appliedToMessages(all, by(8, 'remove'));
    expect(left[1]?.reactions).toEqual([{ ...emoji, user_id: 7 }]);
  });

  test('of a submessage adds it once', () => {
    const event = {
      type: 'submessage',
      message_id: 2,
      submessage_id: 70,
      sender_id: 8,
      msg_type: 'widget',
      content: '{}',
    } as unknown as QueuedEvent;
    const twice = appliedToMessages(applied(event), event);
    expect(twice[1]?.submessages.map(({ id }) => id)).toEqual([70]);
  });

  test('of an edit changes the content and says when; a new rendering does not say when', () => {
    const content = { message_id: 2, content: 'new', rendered_content: '<p>new</p>' };
    expect(applied({ ...edit, ...content })[1]).toMatchObject({
      content: '<p>new</p>',
      last_edit_timestamp: 99,
    });
    const rendered = applied({ ...edit, ...content, rendering_only: true })[1];
    expect(rendered?.content).toBe('<p>new</p>');
    expect(rendered).not.toHaveProperty('last_edit_timestamp');
  });

  test('of a move changes the place of every moved message', () => {
    const moved = applied({
      ...edit,
      message_id: 1,
      message_ids: [1, 3],
      subject: 'old news',
      new_stream_id: 6,
    });
    expect(moved.map(({ subject, stream_id }) => [subject, stream_id])).toEqual([
      ['old news', 6],
      ['news', 5],
      ['old news', 6],
    ]);
    expect(moved.map(({ last_moved_timestamp }) => last_moved_timestamp)).toEqual([
      99,
      undefined,
      99,
    ]);
  });
});

describe('a new message', () => {
  const people = [7, 8, 9].map((id) => ({
    id,
    email: `${id}@x.org`,
    full_name: `Person ${id}`,
    is_mirror_dummy: false,
  }));
  const direct = message(4, {
    type: 'private',
    stream_id: undefined,
    subject: '',
    display_recipient: people,
  });
  const channel = message(5, { subject: 'News' });
  const nobody = { user_id: 7, client: {} } as never;

  test.each<[View, boolean, boolean]>([
    [{ kind: 'all' }, true, true],
    [{ kind: 'channel', channel: 5 }, true, false],
    [{ kind: 'channel', channel: 6 }, false, false],
    [{ kind: 'topic', channel: 5, topic: 'nEWS' }, true, false],
    [{ kind: 'topic', channel: 5, topic: 'other' }, false, false],
    [{ kind: 'direct', users: [9, 8] }, false, true],
    [{ kind: 'direct', users: [8] }, false, false],
  ])('belongs to %j: in a channel %s, direct %s', async (view, inChannel, isDirect) => {
    expect(await belongsTo(view, channel, nobody)).toBe(inChannel);
    expect(await belongsTo(view, direct, nobody)).toBe(isDirect);
  });

  test('to oneself is the conversation with oneself', () => {
    expect(conversationOf(message(6, { display_recipient: people.slice(0, 1) }), 7)).toBe('7');
    expect(conversationOf(direct, 7)).toBe('8,9');
  });
});
