import { batchedReads } from '@bellhop/postgres';
import type { EventOf, EventType, RealmId, UserId } from '@bellhop/protocol';

import type { Db } from '../../engine/call.ts';
import type { Realm } from '../../engine/caller.ts';
import { POLL_BATCHES } from '../../engine/open-polls.ts';
import type { Emitted, StoredEvent } from '../../engine/stored-event.ts';
import { senderFields } from '../../model/messages/message-record.ts';
import type { MessageRecord } from '../../model/messages/message.ts';
import { withoutMembers } from '../../model/user-groups/group-record.ts';
import { type Acquaintance, knownTo } from '../../model/users/access.ts';
import { UNKNOWN_NAME, unknownRecord, unknownUser } from '../../model/users/unknown-user.ts';
import { apiEmail } from '../../model/users/user-record.ts';
import type { StoredUserGroupEvent } from './present-user-group.ts';

/**
 * Guests who see only some users (`can_access_all_users_group`) get events without the others: decided when
 * an event is delivered, by what the guest sees then. This table has every type of event: how a guest gets
 * one that names users whom they do not know, or why none has to be hidden.
 */
const forms: { readonly [T in EventType]: Form<T> | Harmless } = {
  message: {
    about: ({ message }) => {
      const { sender_id, display_recipient } = message as MessageRecord;
      return typeof display_recipient === 'string'
        ? [sender_id]
        : [sender_id, ...display_recipient.map(({ id }) => id)];
    },
    shown: ({ type, message }, hidden) => {
      const record = message as MessageRecord;
      const { sender_id, display_recipient } = record;
      return {
        type,
        message: {
          ...record,
          ...(hidden.has(sender_id) && senderFields(hidden.user(sender_id), hidden.realm)),
          display_recipient:
            typeof display_recipient === 'string'
              ? display_recipient
              : display_recipient.map((one) =>
                  hidden.has(one.id) ? { ...one, ...hidden.name(one.id) } : one,
                ),
        },
      };
    },
  },
  reaction: {
    about: ({ user_id }) => [user_id],
    shown: (event, hidden) => ({
      ...event,
      user: { user_id: event.user_id, ...hidden.name(event.user_id) },
    }),
  },
  typing: {
    about: (event) => [event.sender, ...recipientsOf(event)].map(({ user_id }) => user_id),
    shown: (event, hidden) => {
      const typist = (one: Typist) =>
        hidden.has(one.user_id) ? { ...one, email: hidden.name(one.user_id).email } : one;
      const sender = typist(event.sender);
      return event.message_type === 'direct'
        ? { ...event, sender, recipients: event.recipients.map(typist) }
        : { ...event, sender };
    },
  },
  presence: { about: ({ user_id }) => [user_id], shown: () => undefined },
  user_status: { about: ({ user_id }) => [user_id], shown: () => undefined },
  realm_user: {
    about: ({ person }) => [person.user_id],
    shown: ({ type, op, person }, { user, realm }) => {
      const { user_id } = person;
      if (op === 'add')
        return { type, op, person: unknownRecord(user(user_id), realm), is_unknown: true };
      // Stored before decision 102. The guest does not see the user any more.
      return op === 'remove'
        ? { type, op, person: { user_id, full_name: UNKNOWN_NAME } }
        : undefined;
    },
  },
  user_group: {
    about: (event) => [...membersIn(event), ...membersIn(event.others)],
    shown: ({ others, ...event }, { ids }) => ({
      ...withoutHidden(event, ids),
      ...(others !== undefined && { others: others && withoutHidden(others, ids) }),
    }),
  },

  realm_bot: 'names bots, whom every guest sees',

  attachment: 'is about a file of the guest',
  alert_words: 'is about the guest',
  bot_delivery: 'is for the owner of a bot; nothing in it is a profile',
  bot_endpoint: 'is for the owner of a bot; nothing in it is a profile',
  replay: 'is for the owner of a bot; nothing in it is a profile',
  channel_folder: 'IDs only',
  custom_profile_fields: 'names nobody',
  default_stream_groups: 'IDs only',
  default_streams: 'IDs only',
  delete_message: 'names nobody',
  drafts: 'is about the guest; IDs only',
  heartbeat: 'names nobody',
  invites_changed: 'names nobody',
  muted_topics: 'is about the guest',
  muted_users: 'is about the guest; IDs only',
  navigation_view: 'is about the guest',
  push_device: 'is about the guest',
  device: 'is about the guest',
  push_trace: 'is about the guest',
  realm: 'IDs only, in the values of permissions',
  realm_domains: 'names nobody',
  realm_emoji: 'IDs only',
  realm_linkifiers: 'names nobody',
  realm_playgrounds: 'names nobody',
  realm_user_settings_defaults: 'names nobody',
  reminders: 'is about the guest',
  saved_snippets: 'is about the guest',
  scheduled_messages: 'is about the guest; IDs only',
  stream: 'IDs only',
  submessage: 'IDs only',
  subscription: 'IDs only',
  typing_edit_message: 'IDs only',
  update_display_settings: 'is about the guest',
  update_global_notifications: 'is about the guest',
  update_message: 'IDs only',
  update_message_flags: 'IDs only',
  user_settings: 'is about the guest',
  user_topic: 'is about the guest',
};

interface Form<T extends EventType> {
  /** The users whom the event names. */
  readonly about: (event: Emitted<T>) => readonly UserId[];
  /** The event without those of them whom the guest does not know. Undefined if the guest does not get it. */
  readonly shown: (event: Emitted<T>, hidden: Hidden) => object | undefined;
}
/** Why an event of the type shows no guest an address, a name or a picture of somebody whom they do not know. */
type Harmless = string;
type AnyForm = Form<never> | Harmless;

/** The users of an event whom a guest does not know. */
type Hidden = ReturnType<typeof hiddenUsers>;

function hiddenUsers(ids: ReadonlySet<UserId>, realm: Pick<Realm, 'id' | 'url'>) {
  const user = (id: UserId) => unknownUser({ id, realm_id: realm.id });
  return {
    ids,
    realm,
    has: (id: UserId) => ids.has(id),
    user,
    name: (id: UserId) => ({ email: apiEmail(user(id), realm), full_name: UNKNOWN_NAME }),
  };
}

/**
 * Shows events to guests who see only some users. Whom they know is read when an event names somebody, once
 * for all polls that ask at the same time: no answer is kept.
 */
export function limitedGuests(
  db: Db,
  realmOf: (id: RealmId) => Promise<Pick<Realm, 'id' | 'url'>>,
) {
  const known = batchedReads((asked: readonly Acquaintance[]) => knownTo(db, asked), POLL_BATCHES);
  return async (
    guest: Acquaintance['guest'],
    events: readonly StoredEvent[],
  ): Promise<readonly StoredEvent[]> => {
    const about = events.map(namedIn);
    const users = [...new Set(about.flat())];
    if (users.length === 0) return events;
    const seen = await known.add({ guest, users });
    if (users.every((id) => seen.has(id))) return events;
    const realm = await realmOf(guest.realm_id);
    return events.flatMap((event, at) => {
      const ids = new Set(about[at]?.filter((id) => !seen.has(id)));
      return ids.size === 0 ? [event] : without(event, hiddenUsers(ids, realm));
    });
  };
}

function namedIn({ type, payload }: StoredEvent): readonly UserId[] {
  const form: AnyForm = forms[type];
  return typeof form === 'string' ? [] : form.about(payload as never);
}

function without(event: StoredEvent, hidden: Hidden): readonly StoredEvent[] {
  const form: AnyForm = forms[event.type];
  const shown = typeof form === 'string' ? undefined : form.shown(event.payload as never, hidden);
  return shown ? [{ ...event, payload: shown as StoredEvent['payload'] }] : [];
}

type Typist = Emitted<'typing'>['sender'];
const recipientsOf = (event: Emitted<'typing'>): readonly Typist[] =>
  event.message_type === 'direct' ? event.recipients : [];

function membersIn(event: StoredUserGroupEvent['others']): readonly UserId[] {
  if (!event) return [];
  if ('user_ids' in event) return event.user_ids;
  return event.op === 'add' ? event.group.members : [];
}

function withoutHidden(event: EventOf<'user_group'>, ids: ReadonlySet<UserId>) {
  if ('user_ids' in event)
    return { ...event, user_ids: event.user_ids.filter((id) => !ids.has(id)) };
  return event.op === 'add' ? { ...event, group: withoutMembers(event.group, ids) } : event;
}
