import { z } from 'zod';

import { Html, Markdown, Timestamp } from '../values/fields.ts';
import { MessageId, UserId } from '../values/ids.ts';
import { endpoint } from '../wire/endpoint.ts';
import { event } from '../wire/event.ts';
import { resource, section, type StateOf } from '../wire/resource.ts';
import { byDeliveryTime } from './by-delivery-time.ts';
import { changed } from './changed.ts';

/** Reminders that a user may have at most. */
export const MAX_REMINDERS = 1000;
export const MAX_REMINDER_NOTE_LENGTH = 1000;
/** The end of the year 9999 in UNIX seconds. */
const MAX_TIMESTAMP = 253_402_300_799;

export const ReminderId = z.int().nonnegative().brand<'ReminderId'>();
export type ReminderId = z.output<typeof ReminderId>;

/** A message of which the notification bot reminds a user later. */
export const Reminder = z
  .object({
    reminder_id: ReminderId,
    type: z.literal('private'),
    /** The user. */
    to: z.array(UserId),
    /** The text that the notification bot would send now, as Markdown. */
    content: Markdown,
    rendered_content: Html,
    /** UNIX time in seconds. */
    scheduled_delivery_timestamp: Timestamp,
    /** Whether it was due while the user was deactivated, or the server could not send it. */
    failed: z.boolean(),
    reminder_target_message_id: MessageId,
  })
  .meta({ id: 'Reminder' });
export type Reminder = z.output<typeof Reminder>;

/** The user added or deleted a reminder, or it was sent. One that failed is removed, then added as failed. */
export const RemindersEvent = z.discriminatedUnion('op', [
  z.object({
    type: z.literal('reminders'),
    op: z.literal('add'),
    reminders: z.array(Reminder),
  }),
  z.object({ type: z.literal('reminders'), op: z.literal('remove'), reminder_id: ReminderId }),
]);

/** Reminders in the order in which they are due. */
const state = { reminders: section({ reminders: z.array(Reminder) }) };

const applyReminders = (
  known: StateOf<typeof state>,
  event: z.output<typeof RemindersEvent>,
): StateOf<typeof state> =>
  changed(known, 'reminders', (reminders) =>
    event.op === 'add'
      ? [...reminders, ...event.reminders].sort(byDeliveryTime('reminder_id'))
      : reminders.filter(({ reminder_id }) => reminder_id !== event.reminder_id),
  );

export const reminders = resource({
  endpoints: {
    list: endpoint('GET /reminders', {
      summary: 'Get your reminders that are not due yet',
      since: 399,
      access: 'user',
      result: { reminders: z.array(Reminder) },
    }),

    add: endpoint('POST /reminders', {
      summary: 'Be reminded of a message',
      description: 'When it is due, the notification bot sends you a direct message.',
      since: 381,
      access: 'user',
      params: {
        message_id: MessageId,
        scheduled_delivery_timestamp: Timestamp.nonnegative().max(MAX_TIMESTAMP).meta({
          description: 'When to be reminded: a future UNIX time in seconds',
        }),
        note: z.string().max(MAX_REMINDER_NOTE_LENGTH).optional().meta({
          description: 'A text for yourself, in the reminder',
        }),
      },
      result: { reminder_id: ReminderId },
      emits: [RemindersEvent],
    }),

    remove: endpoint('DELETE /reminders/{reminder_id}', {
      summary: 'Delete a reminder',
      since: 399,
      access: 'user',
      permissions: [{ to: 'delete the reminder', grants: ['own'] }],
      params: { reminder_id: ReminderId },
      emits: [RemindersEvent],
    }),
  },
  events: [event(RemindersEvent, applyReminders)],
  state,
});
