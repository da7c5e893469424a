import {
  channelGroupSettings,
  realmGroupSettings,
  type UserId,
  userGroupSettings,
} from '@bellhop/protocol';
import { type RawBuilder, sql } from 'kysely';

import type { RealmRow } from '../../model/realms/queries.ts';
import { realmSettingsOf } from '../../model/realms/realm-settings.ts';
import { realmDefaultsOf, settingsOfUser } from '../../model/users/user-settings.ts';
import type { FormRecord } from '../form.ts';
import {
  always,
  hasChannel,
  hasMessage,
  hasRecipient,
  isMessageOf,
  isOwn,
  never,
  type Scope,
  seconds,
} from './scope.ts';

/** A table of an export, and the query of its records. */
export interface TableExport {
  readonly name: string;
  readonly query: RawBuilder<unknown>;
  /** Makes the record of a row; without it the row is the record. */
  readonly record?: (row: never) => FormRecord;
}

/** The realm, with its settings and those of new users. */
export function realmRecords(realm: RealmRow): { realm: FormRecord; defaults: FormRecord } {
  const {
    new_stream_announcements_stream_id,
    signup_announcements_stream_id,
    moderation_request_channel_id,
    ...settings
  } = realmSettingsOf(realm);
  const channel = (id: number) => (id > 0 ? id : null);
  return {
    realm: {
      id: realm.id,
      string_id: realm.subdomain,
      ...settings,
      new_stream_announcements_stream: channel(new_stream_announcements_stream_id),
      signup_announcements_stream: channel(signup_announcements_stream_id),
      moderation_request_channel: channel(moderation_request_channel_id),
      ...Object.fromEntries(realmGroupSettings.map((name) => [name, realm.group_settings[name]])),
      date_created: realm.date_created.getTime() / 1000,
      deactivated: !realm.is_active,
    },
    defaults: { realm: realm.id, ...realmDefaultsOf(realm) },
  };
}

interface UserExport {
  readonly id: UserId;
  readonly timezone: string;
  readonly settings: Record<string, unknown>;
  readonly delivery_email: string;
}

/** An e-mail address in a public export is there only if its owner shows it to everybody. */
const userRecord =
  (scope: Scope) =>
  ({ settings: stored, ...row }: UserExport): FormRecord => {
    const settings = settingsOfUser({ settings: stored, timezone: row.timezone });
    const isWhole = scope.only === undefined || scope.only === row.id;
    const isShown = isWhole || (scope.only === 'public' && settings.email_address_visibility === 1);
    const email = isShown ? row.delivery_email : `user${row.id}@hidden.invalid`;
    const timezone = isWhole ? row.timezone : '';
    return { ...(isWhole ? settings : {}), ...row, timezone, email, delivery_email: email };
  };

const groupColumns = (table: string, names: readonly string[]) =>
  sql.join(names.map((name) => sql.ref(`${table}.${name}`)));

/** The tables of realm.json after those of the realm itself. */
export function tableExports(scope: Scope, clients: readonly string[]): TableExport[] {
  const { realm, only } = scope;
  const isWhole = only === undefined ? always : never;
  const sees = (user: string) =>
    typeof only !== 'number'
      ? always
      : sql<boolean>`(${sql.ref(user)} = ${only} or exists (select from message m
          where ${hasMessage(scope)} and m.sender_id = ${sql.ref(user)})
        or exists (select from recipient r where r.realm_id = ${realm}
          and r.user_ids @> array[${only}::bigint] and ${sql.ref(user)} = any(r.user_ids)))`;
  return [
    {
      name: 'zerver_userprofile',
      query: sql`select u.id, u.realm_id as realm, u.delivery_email, u.full_name, u.is_active, u.is_bot,
        u.bot_type, u.bot_owner_id as bot_owner, u.role, u.timezone, u.avatar_source, u.avatar_version,
        ${seconds('u.date_joined')} as date_joined, u.can_create_users, u.can_change_user_emails,
        u.acts_for_owner, u.settings, false as is_mirror_dummy,
        p.default_sending_channel_id as default_sending_stream,
        p.default_events_register_channel_id as default_events_register_stream,
        coalesce(p.default_all_public_streams, false) as default_all_public_streams
        from realm_user u left join bot_profile p on p.realm_id = u.realm_id and p.user_id = u.id
        where u.realm_id = ${realm} and not u.is_system_bot and ${sees('u.id')} order by u.id`,
      record: userRecord(scope),
    },
    {
      name: 'zerver_userprofile_crossrealm',
      query: sql`select id, delivery_email as email from realm_user
        where realm_id = ${realm} and is_system_bot order by id`,
    },
    {
      name: 'zerver_client',
      query: sql`select at::integer as id, name from unnest(${clients}::text[]) with ordinality c (name, at)`,
    },
    {
      name: 'zerver_usergroup',
      query: sql`select id, realm_id as realm from user_group where realm_id = ${realm} order by id`,
    },
    {
      name: 'zerver_namedusergroup',
      query: sql`select g.id, g.id as usergroup_ptr, g.realm_id as realm, g.name, g.description,
        g.is_system_group, g.deactivated, g.creator_id as creator,
        ${seconds('g.date_created')} as date_created, ${groupColumns('g', userGroupSettings)}
        from user_group g where g.realm_id = ${realm} and g.name is not null order by g.id`,
    },
    {
      name: 'zerver_usergroupmembership',
      query: sql`select group_id as user_group, user_id as user_profile from user_group_member
        where realm_id = ${realm} and (${isWhole} or ${sql.lit(only === 'public')} or ${isOwn(scope, 'user_id')})
        order by group_id, user_id`,
    },
    {
      name: 'zerver_groupgroupmembership',
      query: sql`select group_id as supergroup, subgroup_id as subgroup from user_group_subgroup
        where realm_id = ${realm} order by group_id, subgroup_id`,
    },
    {
      name: 'zerver_channelfolder',
      query: sql`select id, realm_id as realm, name, description, rendered_description,
        creator_id as creator, ${seconds('date_created')} as date_created, is_archived,
        position as "order" from channel_folder where realm_id = ${realm} order by id`,
    },
    {
      name: 'zerver_stream',
      query: sql`select c.id, c.realm_id as realm, c.name, c.description, c.rendered_description,
        c.creator_id as creator, c.invite_only, c.is_web_public, c.is_archived as deactivated,
        c.history_public_to_subscribers, c.message_retention_days, c.folder_id as folder,
        c.topics_policy, c.first_message_id, ${seconds('c.date_created')} as date_created,
        (select r.id from recipient r where r.realm_id = c.realm_id and r.channel_id = c.id) as recipient,
        ${groupColumns('c', channelGroupSettings)}
        from channel c where c.realm_id = ${realm} and ${hasChannel(scope, 'c.id')} order by c.id`,
    },
    {
      name: 'zerver_defaultstream',
      query: sql`select c.id, c.realm_id as realm, c.id as stream from channel c
        where c.realm_id = ${realm} and c.is_default and ${hasChannel(scope, 'c.id')} order by c.id`,
    },
    {
      name: 'zerver_defaultstreamgroup',
      query: sql`select g.id, g.realm_id as realm, g.name, g.description,
        array(select c.channel_id from default_channel_group_channel c
          where c.realm_id = g.realm_id and c.group_id = g.id order by c.channel_id) as streams
        from default_channel_group g where g.realm_id = ${realm} order by g.id`,
    },
    {
      name: 'zerver_recipient',
      // Type 2 is a channel, 3 a direct conversation, of two people also.
      query: sql`select r.id, case when r.channel_id is null then 3 else 2 end as type,
        coalesce(r.channel_id, r.id) as type_id from recipient r
        where r.realm_id = ${realm} and ${hasRecipient(scope)} order by r.id`,
    },
    {
      name: 'zerver_huddle',
      query: sql`select r.id, r.id as recipient, cardinality(r.user_ids) as group_size from recipient r
        where r.realm_id = ${realm} and r.user_ids is not null and ${hasRecipient(scope)} order by r.id`,
    },
    {
      name: 'zerver_subscription',
      query: sql`select s.user_id as user_profile, r.id as recipient, s.is_active as active,
        u.is_active as is_user_active, s.color, s.is_muted, s.pin_to_top, s.audible_notifications,
        s.desktop_notifications, s.email_notifications, s.push_notifications, s.wildcard_mentions_notify
        from subscription s
        join recipient r on r.realm_id = s.realm_id and r.channel_id = s.channel_id
        join realm_user u on u.realm_id = s.realm_id and u.id = s.user_id
        where s.realm_id = ${realm} and ${hasChannel(scope, 's.channel_id')}
          and (${sql.lit(typeof only !== 'number')} or ${isOwn(scope, 's.user_id')})
        union all
        select p.user_id, r.id, true, u.is_active, '#c2c2c2', false, false, null, null, null, null, null
        from recipient r cross join unnest(r.user_ids) p (user_id)
        join realm_user u on u.realm_id = r.realm_id and u.id = p.user_id
        where r.realm_id = ${realm} and ${hasRecipient(scope)}`,
    },
    {
      name: 'zerver_realmdomain',
      query: sql`select id, realm_id as realm, domain, allow_subdomains from realm_domain
        where realm_id = ${realm} and ${isWhole} order by id`,
    },
    {
      name: 'zerver_realmfilter',
      query: sql`select id, realm_id as realm, pattern, url_template, position as "order" from linkifier
        where realm_id = ${realm} order by position, id`,
    },
    {
      name: 'zerver_realmplayground',
      query: sql`select id, realm_id as realm, name, highlighter_language as pygments_language, url_template
        from playground where realm_id = ${realm} order by id`,
    },
    {
      name: 'zerver_realmemoji',
      query: sql`select id, realm_id as realm, author_id as author, name,
        id || '.' || replace(media_type, 'image/', '') as file_name, not is_active as deactivated,
        still_bytes is not null as is_animated
        from realm_emoji where realm_id = ${realm} order by id`,
    },
    {
      name: 'zerver_customprofilefield',
      query: sql`select id, realm_id as realm, name, hint, field_type, field_data, field_order as "order",
        display_in_profile_summary, required, editable_by_user
        from custom_profile_field where realm_id = ${realm} order by id`,
    },
    {
      name: 'zerver_customprofilefieldvalue',
      query: sql`select user_id as user_profile, field_id as field, value, rendered_value
        from custom_profile_value where realm_id = ${realm} and ${isOwn(scope, 'user_id')}
        order by user_id, field_id`,
    },
    {
      name: 'zerver_usertopic',
      query: sql`select t.user_id as user_profile, t.channel_id as stream, r.id as recipient,
        t.topic as topic_name, t.last_updated, t.visibility_policy from user_topic t
        left join recipient r on r.realm_id = t.realm_id and r.channel_id = t.channel_id
        where t.realm_id = ${realm} and ${isOwn(scope, 't.user_id')} order by t.user_id, t.channel_id`,
    },
    {
      name: 'zerver_muteduser',
      query: sql`select user_id as user_profile, muted_user_id as muted_user, muted_at as date_muted
        from muted_user where realm_id = ${realm} and ${isOwn(scope, 'user_id')}
        order by user_id, muted_user_id`,
    },
    {
      name: 'zerver_alertword',
      query: sql`select user_id as user_profile, realm_id as realm, word from alert_word
        where realm_id = ${realm} and ${isOwn(scope, 'user_id')} order by user_id, word_key`,
    },
    {
      name: 'zerver_userstatus',
      query: sql`select user_id as user_profile, case when away then 1 else 0 end as status, status_text,
        emoji_name, emoji_code, reaction_type from user_status
        where realm_id = ${realm} and ${isOwn(scope, 'user_id')} order by user_id`,
    },
    {
      name: 'zerver_savedsnippet',
      query: sql`select id, realm_id as realm, user_id as user_profile, title, content, date_created
        from saved_snippet where realm_id = ${realm} and ${isOwn(scope, 'user_id')} order by id`,
    },
    {
      name: 'zerver_navigationview',
      query: sql`select id, user_id as "user", fragment, is_pinned, name from navigation_view
        where realm_id = ${realm} and ${isOwn(scope, 'user_id')} order by id`,
    },
    {
      name: 'zerver_draft',
      query: sql`select id, user_id as user_profile, type, channel_id as stream, user_ids as user_profiles,
        topic, content, edited_at as last_edit_time from draft
        where realm_id = ${realm} and ${isOwn(scope, 'user_id')} order by id`,
    },
    {
      name: 'zerver_service',
      query: sql`select s.id, s.user_id as user_profile, s.name, s.base_url, s.interface
        from bot_service s where s.realm_id = ${realm} and ${isOwn(scope, 's.user_id')} order by s.id`,
    },
    {
      name: 'zerver_botconfigdata',
      query: sql`select p.user_id as bot_profile, d.key, d.value from bot_profile p
        cross join jsonb_each_text(p.config_data) d
        where p.realm_id = ${realm} and ${isOwn(scope, 'p.user_id')} order by p.user_id, d.key`,
    },
    {
      name: 'zerver_botstoragedata',
      query: sql`select user_id as bot_profile, key, value from bot_storage
        where realm_id = ${realm} and ${isOwn(scope, 'user_id')} order by user_id, key`,
    },
    {
      name: 'zerver_reaction',
      query: sql`select x.id, x.message_id as message, x.user_id as user_profile, x.emoji_name, x.emoji_code,
        x.reaction_type from reaction x where x.realm_id = ${realm}
          and (${isMessageOf(scope, 'x.message_id')}
            or ${typeof only === 'number' ? isOwn(scope, 'x.user_id') : never})
        order by x.id`,
    },
    {
      name: 'zerver_submessage',
      query: sql`select s.id, s.message_id as message, s.sender_id as sender, s.msg_type, s.content
        from submessage s where s.realm_id = ${realm} and ${isMessageOf(scope, 's.message_id')}
        order by s.id`,
    },
  ];
}
