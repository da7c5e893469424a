import { z } from 'zod';

import { RealmBotEvent } from './bots.ts';
import { StreamEvent, SubscriptionEvent } from './channels/channel-events.ts';
import { PushDeviceEvent } from './devices.ts';
import { DeleteMessageEvent, MessageEvent, UpdateMessageEvent } from './messages/message-events.ts';
import { ReactionEvent } from './reactions.ts';
import { RealmEvent } from './realm-events.ts';
import { SubmessageEvent } from './submessages.ts';
import { TypingEvent } from './typing.ts';
import { AttachmentEvent } from './uploads.ts';
import { UserGroupEvent } from './user-group-events.ts';
import { RealmUserEvent } from './users/user-events.ts';

/** Keeps a long poll from timing out; comes whatever types were asked for. */
export const HeartbeatEvent = z.object({ type: z.literal('heartbeat') });

/** Everything that can happen. */
export const Event = z.union([
  AttachmentEvent,
  DeleteMessageEvent,
  HeartbeatEvent,
  MessageEvent,
  PushDeviceEvent,
  ReactionEvent,
  RealmBotEvent,
  RealmEvent,
  RealmUserEvent,
  StreamEvent,
  SubmessageEvent,
  SubscriptionEvent,
  TypingEvent,
  UpdateMessageEvent,
  UserGroupEvent,
]);
export type Event = z.output<typeof Event>;
export type EventType = Event['type'];
export type EventOf<T extends EventType> = Extract<Event, { type: T }>;
/** An event as a queue delivers it. IDs of one queue grow, and need not be consecutive. */
export type QueuedEvent = Event & { readonly id: number };
