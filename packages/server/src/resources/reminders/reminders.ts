import { badRequest } from '@bellhop/protocol';

import { ApiError } from '../../engine/api-error.ts';
import type { Handlers, Resource } from '../../engine/resource.ts';
import { fillPreviews, noPreviews } from '../../markdown/fill-previews.ts';
import { renderContent } from '../../model/messages/render-content.ts';
import * as queries from '../../model/reminders/queries.ts';
import { reminderContent } from '../../model/reminders/reminder-content.ts';
import { reminderRecord } from '../../model/reminders/reminder-record.ts';
import { requireRoom } from '../../model/require-room.ts';
import * as users from '../../model/users/queries.ts';
import { cancelReminder, enqueueReminder, sendReminder } from './send-reminder.ts';

const handlers: Handlers<'reminders'> = {
  async list({ user, db }) {
    return { reminders: (await queries.ofUser(db, user)).map(reminderRecord) };
  },

  async add({ app, user, realm, params, db, emit, enqueue }) {
    const { message_id, scheduled_delivery_timestamp: deliver_at } = params;
    if (deliver_at <= app.now()) throw badRequest('Scheduled delivery time must be in the future.');
    const note = params.note?.trim() ?? '';
    await users.lock(db, user);
    const reminder = await reminderContent(db, { realm, user, message_id, note });
    if (!reminder) throw badRequest('Invalid message(s)');
    const rendered = await renderContent(db, {
      realm,
      sender: user,
      in_channel: false,
      ...reminder,
    });
    const row = await queries.insert(db, {
      realm_id: realm.id,
      user_id: user.id,
      message_id,
      note,
      content: reminder.content,
      rendered_content: fillPreviews(rendered.html, noPreviews),
      deliver_at,
    });
    await requireRoom(db, 'reminder', { realm_id: realm.id, user_id: user.id });
    await enqueueReminder({ enqueue }, row);
    emit({ type: 'reminders', op: 'add', reminders: [reminderRecord(row)] }, [user.id]);
    return { reminder_id: row.id };
  },

  async remove({ user, realm, params: { reminder_id }, db, emit }) {
    const row = await queries.lock(db, realm.id, reminder_id);
    if (row?.user_id !== user.id)
      throw new ApiError('BAD_REQUEST', { message: 'Reminder does not exist', status: 404 });
    await queries.remove(db, row);
    await cancelReminder(db, row);
    emit({ type: 'reminders', op: 'remove', reminder_id }, [user.id]);
    return {};
  },
};

export const reminders: Resource<'reminders'> = {
  handlers,
  jobs: () => [sendReminder],
  state: {
    reminders: async ({ db, user }) => ({
      reminders: (await queries.ofUser(db, user)).map(reminderRecord),
    }),
  },
};
