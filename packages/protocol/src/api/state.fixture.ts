import type { Bot } from '../chat/bots/bot.ts';
import { Channel, Subscription } from '../chat/channels/channel.ts';
import { newChannelProperties, newSubscriptionProperties } from '../chat/channels/new-records.ts';
import type { UnreadMessages } from '../chat/messages/message-state.ts';
import type { Message } from '../chat/messages/message.ts';
import { User } from '../chat/users/user.ts';
import { UserId } from '../values/ids.ts';
import type { StateOwner } from '../wire/event.ts';
import { applyEvent } from './apply-event.ts';
import type { InitialState } from './initial-state.ts';

/** The owner of the states in tests. */
export const self = UserId.parse(10);
const owner: StateOwner = { user_id: self, include_subscribers: true };

const groups = Object.fromEntries(
  Object.keys(Channel.shape)
    .filter((name) => name.endsWith('_group'))
    .map((name) => [name, 3]),
);
const channelFields = (stream_id: number, subscribers?: number[]) => ({
  ...newChannelProperties,
  stream_id,
  name: `channel ${stream_id}`,
  date_created: 1,
  first_message_id: null,
  is_recently_active: true,
  subscriber_count: subscribers?.length ?? 0,
  ...groups,
  ...(subscribers ? { subscribers } : {}),
});
export const channel = (id: number, subscribers?: number[]): Channel =>
  Channel.parse(channelFields(id, subscribers));
export const subscription = (id: number, subscribers?: number[]): Subscription =>
  Subscription.parse({
    ...channelFields(id, subscribers),
    color: '#c2c2c2',
    ...newSubscriptionProperties,
  });

export const user = (user_id: number, more: object = {}): User =>
  User.parse({
    user_id,
    email: `u${user_id}@x.com`,
    delivery_email: null,
    full_name: `User ${user_id}`,
    date_joined: '2026-01-01T00:00+00:00',
    is_active: true,
    is_owner: false,
    is_admin: false,
    is_guest: false,
    is_bot: false,
    role: 400,
    timezone: '',
    avatar_url: null,
    avatar_version: 1,
    ...more,
  });
export function listed(user_id: number, more: object = {}): Omit<User, 'is_active'> {
  const { is_active: _active, ...record } = user(user_id, more);
  return record;
}

export const bot = (user_id: number): Bot => ({
  user_id: UserId.parse(user_id),
  full_name: `Bot ${user_id}`,
  email: `b${user_id}-bot@x.com`,
  bot_type: 3,
  is_active: true,
  api_key: 'k',
  default_sending_stream: null,
  default_events_register_stream: null,
  default_all_public_streams: false,
  avatar_url: '/a',
  owner_id: self,
  services: [],
});

const messageFields = (id: number): unknown => ({
  id,
  subject: '',
  content: 'x',
  content_type: 'text/html',
  sender_id: 11,
  sender_email: '',
  sender_full_name: '',
  sender_realm_str: '',
  avatar_url: null,
  client: 'test',
  recipient_id: 1,
  timestamp: 1,
  is_me_message: false,
  reactions: [],
  submessages: [],
  topic_links: [],
});
export const channelMessage = (id: number, stream_id: number, subject: string): Message =>
  ({
    ...(messageFields(id) as Message),
    type: 'stream',
    stream_id,
    subject,
    display_recipient: `channel ${stream_id}`,
  }) as Message;
export const directMessage = (id: number, ...people: number[]): Message => ({
  ...(messageFields(id) as Message),
  type: 'private',
  display_recipient: people.map((person) => ({
    id: UserId.parse(person),
    email: '',
    full_name: '',
    is_mirror_dummy: false,
  })),
});

export const nothingUnread: UnreadMessages = {
  count: 0,
  pms: [],
  streams: [],
  huddles: [],
  mentions: [],
  old_unreads_missing: false,
};

function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
}

/** Applies events with the IDs 0, 1, ... to a frozen state. Returns the state after them. */
export function after(before: InitialState, ...events: object[]): InitialState {
  return events.reduce<InitialState>(
    (state, event, id) =>
      applyEvent(frozen(state), { id, ...event } as Parameters<typeof applyEvent>[1], owner),
    before,
  );
}
