import { ApiError, MAX_MESSAGE_LENGTH, profileFieldTypes } from '@bellhop/protocol';
import { sql } from 'kysely';

import type { Tx } from '../../engine/call.ts';
import { newSecret } from '../../engine/secrets.ts';
import { fieldValue } from '../../model/custom-profile-fields/field-value.ts';
import type { FieldRow } from '../../model/custom-profile-fields/queries.ts';
import { activePaths } from '../../model/realm-emoji/queries.ts';
import { flagOf, idOf, numberOf, secondsOf, textOf } from '../form-fields.ts';
import type { FormRecord } from '../form.ts';
import type { Importing, Piece } from './importing.ts';
import {
  anyRef,
  bytes,
  flag,
  json,
  type NewRow,
  ref,
  small,
  type TableTarget,
  text,
  whole,
} from './insert-rows.ts';

/** How the records of a table become rows of one of this server. */
interface PersonalTable {
  /** For the count. */
  readonly what: string;
  readonly target: TableTarget;
  /** Undefined for a record that has no row here. */
  readonly row: (record: FormRecord, say: Say, importing: Importing) => NewRow | undefined;
}
type Say = (name: string, most: number) => string;

const hex = (value: Buffer) => `\\x${value.toString('hex')}`;
const user = ref('user');

const tables: Readonly<Record<string, PersonalTable>> = {
  zerver_usertopic: {
    what: 'topics muted or followed',
    target: {
      table: 'user_topic',
      columns: {
        user_id: user,
        channel_id: ref('channel'),
        topic: text,
        last_updated: whole,
        visibility_policy: small,
      },
    },
    row: (record, say) => {
      const visibility_policy = numberOf(record, 'visibility_policy') ?? 1;
      if (![1, 2, 3].includes(visibility_policy)) return undefined;
      return {
        user_id: idOf(record, 'user_profile'),
        channel_id: idOf(record, 'stream'),
        topic: say('topic_name', 60),
        last_updated: secondsOf(record, 'last_updated') ?? 0,
        visibility_policy,
      };
    },
  },
  zerver_muteduser: {
    what: 'muted people',
    target: {
      table: 'muted_user',
      columns: { user_id: user, muted_user_id: user, muted_at: whole },
    },
    row: (record) => ({
      user_id: idOf(record, 'user_profile'),
      muted_user_id: idOf(record, 'muted_user'),
      muted_at: secondsOf(record, 'date_muted') ?? 0,
    }),
  },
  zerver_alertword: {
    what: 'alert words',
    target: { table: 'alert_word', columns: { user_id: user, word: text } },
    row: (record, say) => ({ user_id: idOf(record, 'user_profile'), word: say('word', 100) }),
  },
  zerver_userstatus: {
    what: 'statuses',
    target: {
      table: 'user_status',
      columns: {
        user_id: user,
        away: flag,
        status_text: text,
        emoji_name: text,
        emoji_code: text,
        reaction_type: text,
      },
    },
    row: (record, say) => ({
      user_id: idOf(record, 'user_profile'),
      away: numberOf(record, 'status') === 1,
      status_text: say('status_text', 60),
      emoji_name: say('emoji_name', 100),
      emoji_code: say('emoji_code', 100),
      reaction_type: reactionType(say('reaction_type', 100)),
    }),
  },
  zerver_savedsnippet: {
    what: 'saved snippets',
    target: {
      table: 'saved_snippet',
      columns: { user_id: user, title: text, content: text, date_created: whole },
    },
    row: (record, say) => ({
      user_id: idOf(record, 'user_profile'),
      title: say('title', 60),
      content: say('content', MAX_MESSAGE_LENGTH),
      date_created: secondsOf(record, 'date_created') ?? 0,
    }),
  },
  zerver_navigationview: {
    what: 'navigation views',
    target: {
      table: 'navigation_view',
      columns: { user_id: user, fragment: text, is_pinned: flag, name: text },
    },
    row: (record, say) => ({
      user_id: idOf(record, 'user'),
      fragment: say('fragment', 1000),
      is_pinned: flagOf(record, 'is_pinned', false),
      name: record['name'] === null ? null : say('name', 1000),
    }),
  },
  zerver_service: {
    what: 'webhooks of bots',
    target: {
      table: 'bot_service',
      columns: {
        user_id: user,
        name: text,
        base_url: text,
        interface: small,
        token_mac: bytes,
        token_sealed: bytes,
      },
    },
    row: (record, say, { secrets }) => {
      const token = newSecret();
      const kind = numberOf(record, 'interface') ?? 1;
      if (!URL.canParse(say('base_url', 2048))) return undefined;
      return {
        user_id: idOf(record, 'user_profile'),
        name: say('name', 100),
        base_url: say('base_url', 2048),
        interface: kind === 2 ? 2 : 1,
        token_mac: hex(secrets.mac(token)),
        token_sealed: hex(secrets.seal(token)),
      };
    },
  },
  zerver_botstoragedata: {
    what: 'values in the storage of bots',
    target: { table: 'bot_storage', columns: { user_id: user, key: text, value: text } },
    row: (record, say) => ({
      user_id: idOf(record, 'bot_profile'),
      key: say('key', 10_000),
      value: say('value', 10_000_000),
    }),
  },
  zerver_userprofile: {
    what: 'profiles of bots',
    target: {
      table: 'bot_profile',
      columns: {
        user_id: user,
        default_sending_channel_id: anyRef('channel'),
        default_events_register_channel_id: anyRef('channel'),
        default_all_public_streams: flag,
        config_data: json,
      },
    },
    row: (record) =>
      flagOf(record, 'is_bot', false)
        ? {
            user_id: idOf(record, 'id'),
            default_sending_channel_id: idOf(record, 'default_sending_stream') ?? null,
            default_events_register_channel_id:
              idOf(record, 'default_events_register_stream') ?? null,
            default_all_public_streams: flagOf(record, 'default_all_public_streams', false),
            config_data: {},
          }
        : undefined,
  },
};

const reactionType = (type: string): string =>
  type === 'zulip_extra_emoji' ? 'svc_extra_emoji' : type || 'unicode_emoji';

/** What belongs to single people and bots. */
export async function importPersonal(importing: Importing, piece: Piece): Promise<void> {
  for await (const batch of importing.tables(Object.keys(tables)))
    for (const [name, records] of Map.groupBy(batch, ({ table }) => table)) {
      const spec = tables[name];
      if (!spec) continue;
      const rows = records.flatMap(({ record }): NewRow[] => {
        const say: Say = (field, most) => textOf(name, record, field, most);
        const row = spec.row(record, say, importing);
        return row ? [row] : [];
      });
      await piece.insert(spec.what, spec.target, rows);
    }
  await importProfileValues(importing, piece);
  await importOwners(importing, piece);
  await importDrafts(importing, piece);
}

/** The owners of bots, who may be anywhere in the list of people, and the settings of bots. */
async function importOwners(importing: Importing, { tx }: Piece): Promise<void> {
  const { realm } = importing;
  for await (const batch of importing.tables(['zerver_userprofile', 'zerver_botconfigdata'])) {
    const owned = batch.flatMap(({ table, record }) => {
      const id = idOf(record, 'id');
      const owner = idOf(record, 'bot_owner');
      const isOwned = table === 'zerver_userprofile' && flagOf(record, 'is_bot', false);
      return isOwned && id !== undefined && owner !== undefined ? [{ id, owner }] : [];
    });
    await sql`update realm_user u set bot_owner_id = o.id
      from jsonb_to_recordset(${JSON.stringify(owned)}::jsonb) as r (id bigint, owner bigint)
      join imported_id b on b.realm_id = ${realm} and b.kind = 'user' and b.former_id = r.id
      join imported_id o on o.realm_id = ${realm} and o.kind = 'user' and o.former_id = r.owner
      where u.realm_id = ${realm} and u.id = b.id`.execute(tx);
    const set = batch.flatMap(({ table, record }) => {
      const bot = idOf(record, 'bot_profile');
      if (table !== 'zerver_botconfigdata' || bot === undefined) return [];
      const say: Say = (field, most) => textOf(table, record, field, most);
      return [{ bot, config: { [say('key', 1000)]: say('value', 10_000) } }];
    });
    await sql`update bot_profile p set config_data = p.config_data || c.config
      from (select i.id, jsonb_object_agg(d.key, d.value) as config
        from jsonb_to_recordset(${JSON.stringify(set)}::jsonb) as r (bot bigint, config jsonb)
        cross join jsonb_each(r.config) d
        join imported_id i on i.realm_id = ${realm} and i.kind = 'user' and i.former_id = r.bot
        group by i.id) c
      where p.realm_id = ${realm} and p.user_id = c.id`.execute(tx);
  }
}

/** Drafts of exports of this server. */
async function importDrafts(importing: Importing, piece: Piece): Promise<void> {
  const target = {
    table: 'draft',
    columns: {
      user_id: user,
      type: text,
      channel_id: anyRef('channel'),
      user_ids: { type: 'bigint[]' },
      topic: text,
      content: text,
      edited_at: whole,
    },
  } as const;
  for await (const batch of importing.tables(['zerver_draft'])) {
    const named = (record: FormRecord): number[] =>
      Array.isArray(record['user_profiles'])
        ? record['user_profiles'].filter((id) => Number.isSafeInteger(id))
        : [];
    const all = batch.flatMap(({ record }) => named(record));
    const people = await importing.newIds(piece.tx, 'user', all);
    await piece.insert(
      'drafts',
      target,
      batch.map(({ table, record }) => ({
        user_id: idOf(record, 'user_profile'),
        type: ['stream', 'private'].includes(String(record['type'])) ? record['type'] : '',
        channel_id: idOf(record, 'stream') ?? null,
        user_ids: Array.isArray(record['user_profiles'])
          ? named(record)
              .flatMap((id) => people.get(id) ?? [])
              .toSorted((a, b) => a - b)
          : null,
        topic: textOf(table, record, 'topic', 60),
        content: textOf(table, record, 'content', MAX_MESSAGE_LENGTH),
        edited_at: secondsOf(record, 'last_edit_time') ?? 0,
      })),
    );
  }
}

const profileValues = {
  table: 'custom_profile_value',
  columns: { user_id: user, field_id: whole, value: text, rendered_value: text },
} as const;

/** The values of profiles. One that this server would not take, a link that is no web address for one, is left out. */
async function importProfileValues(importing: Importing, piece: Piece): Promise<void> {
  const { realm } = importing;
  const { tx } = piece;
  const { rows: fields } = await sql<FieldRow & { former_id: number }>`select i.former_id, f.*
    from imported_id i join custom_profile_field f on f.realm_id = i.realm_id and f.id = i.id
    where i.realm_id = ${realm} and i.kind = 'field'`.execute(tx);
  const byFormer = new Map(fields.map((field) => [field.former_id, field]));
  const emoji = await activePaths(tx, realm);
  for await (const batch of importing.tables(['zerver_customprofilefieldvalue'])) {
    const rows: NewRow[] = [];
    for (const { table, record } of batch) {
      const field = byFormer.get(idOf(record, 'field') ?? -1);
      const given = textOf(table, record, 'value', 10_000);
      const value = field && (await valueOf(importing, tx, { field, given, emoji }));
      if (value) rows.push({ user_id: idOf(record, 'user_profile'), field_id: field.id, ...value });
      else piece.count('values of profiles left out', 1);
    }
    await piece.insert('values of profiles', profileValues, rows);
  }
}

interface GivenValue {
  readonly field: FieldRow;
  readonly given: string;
  readonly emoji: ReadonlyMap<string, string>;
}

async function valueOf(importing: Importing, tx: Tx, { field, given, emoji }: GivenValue) {
  if (field.field_type === profileFieldTypes.USER.id) {
    const former = given.match(/\d{1,15}/g)?.map(Number) ?? [];
    const people = await importing.newIds(tx, 'user', former);
    return {
      value: JSON.stringify(former.flatMap((id) => people.get(id) ?? [])),
      rendered_value: null,
    };
  }
  try {
    return await fieldValue({ db: tx, realm: { emoji } }, field, given);
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}
