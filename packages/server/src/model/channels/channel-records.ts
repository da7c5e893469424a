import {
  type Channel,
  channelGroupSettings,
  type ChannelId,
  type GroupSetting,
  type RealmId,
  type UserGroupId,
} from '@bellhop/protocol';

import type { Db } from '../../engine/call.ts';
import * as userGroups from '../user-groups/queries.ts';
import { type ChannelRow, byIds } from './channel-rows.ts';

const DAY = 86_400;
/** Without a message for this long a channel is not `is_recently_active`. */
const ACTIVE_DAYS = 180;

interface RecordOptions {
  readonly realm: { readonly id: RealmId };
  /** UNIX time in seconds. */
  readonly now: number;
}

/** Channels as the API shows them: the same for every user who may see them. */
export async function channelRecords(
  db: Db,
  options: RecordOptions,
  ids: readonly ChannelId[],
): Promise<Map<ChannelId, Channel>> {
  const { realm } = options;
  const rows = await byIds(db, realm.id, ids);
  return recordsOf(db, options, rows);
}

/** The records of rows that have been read. */
export async function recordsOf(
  db: Db,
  { realm, now }: RecordOptions,
  rows: readonly ChannelRow[],
): Promise<Map<ChannelId, Channel>> {
  const groupIds = rows.flatMap((row) => channelGroupSettings.map((name) => row[name]));
  const values = await userGroups.settingValues(db, realm.id, groupIds);
  const system = await userGroups.systemGroupIds(db, realm.id);
  const policies = new Map<GroupSetting, 2 | 3 | 4>([
    [system['role:administrators'], 2],
    [system['role:fullmembers'], 3],
    [system['role:moderators'], 4],
  ]);
  return new Map(
    rows.map((row) => {
      const stream_post_policy = policies.get(row.can_send_message_group) ?? 1;
      return [
        row.id,
        {
          stream_id: row.id,
          name: row.name,
          description: row.description,
          rendered_description: row.rendered_description,
          date_created: seconds(row.date_created),
          creator_id: row.creator_id,
          invite_only: row.invite_only,
          is_web_public: row.is_web_public,
          is_archived: row.is_archived,
          history_public_to_subscribers: row.history_public_to_subscribers,
          message_retention_days: row.message_retention_days,
          first_message_id: row.first_message_id,
          is_recently_active:
            Math.max(row.last_sent_at ?? 0, seconds(row.date_created)) > now - ACTIVE_DAYS * DAY,
          stream_weekly_traffic: weeklyTraffic(row, now),
          subscriber_count: row.subscriber_count,
          folder_id: row.folder_id,
          topics_policy: row.topics_policy,
          stream_post_policy,
          is_announcement_only: stream_post_policy === 2,
          ...groupSettings(row, values),
          can_create_topic_group: system['role:everyone'],
        },
      ];
    }),
  );
}

const seconds = (date: Date) => Math.floor(date.getTime() / 1000);

/**
 * Messages per week, rounded to two digits, and at least 1 if there was any in four weeks. Null in a
 * channel's first week.
 */
function weeklyTraffic({ date_created, recent_messages }: ChannelRow, now: number): number | null {
  const days = Math.floor((now - seconds(date_created)) / DAY);
  if (days < 7) return null;
  if (recent_messages === 0) return 0;
  const average = Math.max(1, Math.floor((recent_messages * 7) / Math.min(days, 28)));
  return average < 100 ? average : Number(average.toPrecision(2));
}

function groupSettings(row: ChannelRow, values: ReadonlyMap<UserGroupId, GroupSetting>) {
  const entries = channelGroupSettings.map((name) => [name, values.get(row[name]) ?? row[name]]);
  return Object.fromEntries(entries) as Pick<Channel, (typeof channelGroupSettings)[number]>;
}
