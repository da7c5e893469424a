import { type Api, badRequest, type ParamsOf, type ScheduledMessageId } from '@bellhop/protocol';

import { ApiError } from '../../engine/api-error.ts';
import type { Tx } from '../../engine/call.ts';
import type { User } from '../../engine/caller.ts';
import type { Handlers, Resource } from '../../engine/resource.ts';
import { readsOwnMessages } from '../../model/messages/read/flags.ts';
import { requireRoom } from '../../model/require-room.ts';
import { checkScheduled } from '../../model/scheduled-messages/check-scheduled.ts';
import * as queries from '../../model/scheduled-messages/queries.ts';
import type { ScheduledRow } from '../../model/scheduled-messages/queries.ts';
import { scheduledRecord } from '../../model/scheduled-messages/scheduled-record.ts';
import * as users from '../../model/users/queries.ts';
import { presentUnsent, withShownTopic } from '../messages/present-unsent.ts';
import { cancelSend, enqueueSend, sendScheduledMessage } from './send-scheduled-message.ts';

const handlers: Handlers<'scheduledMessages'> = {
  async list({ user, params, db }) {
    const rows = await queries.ofUser(db, user);
    return { scheduled_messages: recordsFor(rows, params.allow_empty_topic_name) };
  },

  async add({ actor, user, realm, client, params, db, emit, enqueue }) {
    const { scheduled_delivery_timestamp: deliver_at, type, to, topic, content } = params;
    requireFuture(deliver_at, actor.now);
    await users.lock(db, user);
    const columns = await checkScheduled(db, actor, { client, type, to, topic, content });
    const isToSelf = columns.user_ids?.length === 1;
    const read_by_sender = params.read_by_sender ?? (readsOwnMessages(client) && !isToSelf);
    const key = { realm_id: realm.id, sender_id: user.id };
    const row = await queries.insert(db, {
      ...key,
      ...columns,
      client,
      deliver_at,
      read_by_sender,
    });
    await requireRoom(db, 'scheduled_message', key);
    await enqueueSend({ enqueue }, row);
    const scheduled_messages = [scheduledRecord(row)];
    emit({ type: 'scheduled_messages', op: 'add', scheduled_messages }, [user.id]);
    return { scheduled_message_id: row.id };
  },

  async update({ actor, user, client, params, db, emit, enqueue }) {
    requireChange(params);
    const current = await lockOwn(db, user, params.scheduled_message_id);
    const deliver_at = params.scheduled_delivery_timestamp ?? current.deliver_at;
    if (params.scheduled_delivery_timestamp !== undefined || current.failure !== null)
      requireFuture(params.scheduled_delivery_timestamp ?? 0, actor.now);
    const columns = await checkScheduled(db, actor, { client, ...edited(current, params) });
    const row = await queries.update(db, current, {
      ...columns,
      client,
      deliver_at,
      failure: null,
    });
    if (row.deliver_at !== current.deliver_at) {
      await cancelSend(db, current);
      await enqueueSend({ enqueue }, row);
    }
    const scheduled_message = scheduledRecord(row);
    emit({ type: 'scheduled_messages', op: 'update', scheduled_message }, [user.id]);
    return {};
  },

  async remove({ user, params: { scheduled_message_id }, db, emit }) {
    const row = await lockOwn(db, user, scheduled_message_id);
    await queries.remove(db, row);
    await cancelSend(db, row);
    emit({ type: 'scheduled_messages', op: 'remove', scheduled_message_id }, [user.id]);
    return {};
  },
};

export const scheduledMessages: Resource<'scheduledMessages'> = {
  handlers,
  jobs: () => [sendScheduledMessage],
  state: {
    async scheduled_messages({ db, user, params }) {
      const rows = await queries.ofUser(db, user);
      const allowEmpty = params.client_capabilities.empty_topic_name;
      return { scheduled_messages: recordsFor(rows, allowEmpty) };
    },
  },
  presenters: () => ({
    scheduled_messages: presentUnsent({ one: 'scheduled_message', many: 'scheduled_messages' }),
  }),
};

const recordsFor = (rows: readonly ScheduledRow[], allowEmpty: boolean) =>
  rows.map((row) => withShownTopic(scheduledRecord(row), allowEmpty));

function requireFuture(deliver_at: number, now: number): void {
  if (deliver_at <= now) throw badRequest('Scheduled delivery time must be in the future.');
}

/** Locks a scheduled message. Throws BAD_REQUEST with the status 404 if the user has no such message. */
async function lockOwn(tx: Tx, user: User, id: ScheduledMessageId): Promise<ScheduledRow> {
  const row = await queries.lock(tx, user.realm_id, id);
  if (row?.sender_id === user.id) return row;
  throw new ApiError('BAD_REQUEST', { message: 'Scheduled message does not exist', status: 404 });
}

type Edit = ParamsOf<Api['scheduledMessages']['update']>;

function requireChange({ scheduled_message_id: _id, ...changes }: Edit): void {
  const { type, to, topic } = changes;
  if (Object.values(changes).every((value) => value === undefined))
    throw badRequest('Nothing to change');
  if (type !== undefined && to === undefined)
    throw badRequest('Recipient required when updating type of scheduled message.');
  if (type === 'channel' && topic === undefined)
    throw badRequest('Topic required when updating scheduled message type to channel.');
}

/** The message with the changes of an edit. */
function edited(row: ScheduledRow, { type, to, topic, content }: Edit) {
  return {
    type: type ?? (row.channel_id === null ? 'direct' : 'channel'),
    to: to ?? row.channel_id ?? row.user_ids ?? [],
    topic: topic ?? row.topic,
    content: content ?? row.content,
  } as const;
}
