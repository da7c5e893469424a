import {
  type AnswerOf,
  badRequest,
  knownEventTypes,
  MAX_QUEUE_NARROW_LENGTH,
  type Narrow,
  type ParamsOf,
  queueLifespan,
  type Api,
  roles,
  versionAt,
} from '@bellhop/protocol';

import { ApiError } from '../../engine/api-error.ts';
import type { Tx } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import { newestSeq, NONE_RECEIVED } from '../../engine/event-log.ts';
import type { Handlers } from '../../engine/resource.ts';
import { userOrSpectator } from '../../engine/spectator.ts';
import type { StoredRegistration } from '../../engine/stored-event.ts';
import * as bots from '../../model/bots/queries.ts';
import { visibleChannel } from '../../model/channels/readable-channels.ts';
import { canonical, idIn } from '../../model/messages/fetch/narrow/narrow-term.ts';
import * as queries from '../../model/queues/queries.ts';
import * as realms from '../../model/realms/queries.ts';
import * as users from '../../model/users/queries.ts';

type Params = ParamsOf<Api['queues']['register']>;
type RegisterResult = AnswerOf<Api['queues']['register']>;

/** The operators that can filter single messages of a queue. */
const NARROW_OPERATORS = new Set(['channel', 'topic', 'sender', 'is', 'dm']);
const NARROW_IS = new Set([
  'dm',
  'private',
  'starred',
  'unread',
  'alerted',
  'mentioned',
  'resolved',
]);

/**
 * Creates a queue and reads the state it starts from in one snapshot of the database: every change is
 * either in the state or in the queue, never in both.
 */
export const register: Handlers<'queues'>['register'] = async (call) => {
  const { user, realm, params, client, reads_public_names, app } = call;
  userOrSpectator(call);
  if (!user) checkAnonymous(params);
  checkNarrow(params.narrow ?? []);
  const client_gravatar = params.client_gravatar ?? user !== null;
  const result = await call.change(
    async ({ db }): Promise<RegisterResult> => {
      const start_seq = await newestSeq(db, realm.id);
      const current = await currentCaller(db, { realm, user });
      checkCurrentUser(current.user, params);
      const { all_public_streams, narrow } = await heardMessages(db, current.user, params);
      const asked = { ...params, all_public_streams, narrow };
      const lifespan_seconds = queueLifespan(params.idle_queue_timeout);
      const queue_id = user
        ? await makeQueue(db, {
            user,
            params: asked,
            client,
            reads_public_names,
            start_seq,
            client_gravatar,
            lifespan_seconds,
          })
        : null;
      const state = await app.initialState({ db, ...current, params, client_gravatar });
      const version = versionAt(app.config.publicFeatureLevel);
      return {
        queue_id,
        idle_queue_timeout_secs: user ? lifespan_seconds : null,
        last_event_id: NONE_RECEIVED,
        ...version,
        ...state,
      };
    },
    { snapshot: true },
  );
  if (user && result.queue_id !== null) await app.queues.removeSurplus(user, result.queue_id);
  return result;
};

/** The caller as of the snapshot: the cached one may lack a change whose event the queue does not get. */
async function currentCaller(
  db: Tx,
  { realm, user }: { realm: Realm; user: User | null },
): Promise<{ realm: Realm; user: User | null }> {
  const row = await realms.byId(db, realm.id);
  const current = user && (await users.byId(db, realm.id, user.id));
  return { realm: { ...realm, ...row }, user: current ?? user };
}

type HeardMessages = Pick<StoredRegistration, 'all_public_streams' | 'narrow'>;

/** Which messages a queue gets: for a bot that does not say it, its defaults. */
async function heardMessages(
  db: Tx,
  user: User | null,
  { all_public_streams, narrow }: Params,
): Promise<HeardMessages> {
  const defaults = user?.is_bot ? await bots.queueDefaults(db, user) : undefined;
  const named = user ? await withChannelIds(db, user, narrow ?? []) : [];
  return {
    all_public_streams: all_public_streams ?? defaults?.default_all_public_streams ?? false,
    narrow:
      user && defaults && named.length === 0 ? await defaultNarrow(db, user, defaults) : named,
  };
}

/** Replaces an id as text, which no channel has as its name, by the id. */
const withChannelIds = (db: Tx, user: User, narrow: Narrow): Promise<Narrow> =>
  Promise.all(
    narrow.map(async (term) => {
      const { operand } = term;
      if (canonical(term).operator !== 'channel' || typeof operand !== 'string') return term;
      const name = operand.trim();
      const id = idIn(name);
      const channel = id === undefined ? undefined : await visibleChannel(db, user, { name, id });
      return channel && channel.name !== name ? { ...term, operand: channel.id } : term;
    }),
  );

/** The narrow to the default channel of a bot; empty if it has none or may not see it. */
async function defaultNarrow(
  db: Tx,
  bot: User,
  { default_events_register_channel_id: id }: { default_events_register_channel_id: number | null },
): Promise<HeardMessages['narrow']> {
  const channel = id === null ? undefined : await visibleChannel(db, bot, { id, name: null });
  return channel ? [{ operator: 'channel', operand: channel.id, negated: false }] : [];
}

interface NewQueue {
  readonly user: User;
  readonly params: Omit<Params, keyof HeardMessages> & HeardMessages;
  readonly client: string;
  readonly reads_public_names: boolean;
  readonly start_seq: number;
  readonly client_gravatar: boolean;
  readonly lifespan_seconds: number;
}

function makeQueue(
  db: Tx,
  { params, client_gravatar, reads_public_names, ...row }: NewQueue,
): Promise<string> {
  return queries.insertQueue(db, {
    ...row,
    registration: {
      apply_markdown: params.apply_markdown,
      client_gravatar,
      slim_presence: params.slim_presence,
      all_public_streams: params.all_public_streams,
      include_subscribers: params.include_subscribers,
      event_types: params.event_types ? knownEventTypes(params.event_types) : null,
      narrow: params.narrow,
      capabilities: params.client_capabilities,
      reads_public_names,
    },
  });
}

/** Without a login a client gets only public state. Throws if it asks for more. */
function checkAnonymous({ client_gravatar, include_subscribers }: Params): void {
  if (client_gravatar)
    throw badRequest("Invalid 'client_gravatar' parameter for anonymous request");
  if (include_subscribers !== false)
    throw badRequest("Invalid 'include_subscribers' parameter for anonymous request");
}

/**
 * Checks the user as the transaction reads them: the node may have cached a former role. Throws
 * USER_DEACTIVATED, and BAD_REQUEST for a guest who asks for all public channels.
 */
function checkCurrentUser(user: User | null, { all_public_streams }: Params): void {
  if (user?.is_active === false) throw new ApiError('USER_DEACTIVATED');
  if (user?.role === roles.guest && all_public_streams)
    throw badRequest('User not authorized for this query');
}

function checkNarrow(narrow: Narrow): void {
  if (JSON.stringify(narrow).length > MAX_QUEUE_NARROW_LENGTH)
    throw badRequest(`narrow is too long (limit: ${MAX_QUEUE_NARROW_LENGTH} characters)`);
  for (const { operator, operand } of narrow.map(canonical)) {
    if (!NARROW_OPERATORS.has(operator)) throw badRequest(`Operator ${operator} not supported.`);
    if (operator === 'is' && !NARROW_IS.has(String(operand)))
      throw badRequest(`Operator is:${String(operand)} not supported.`);
  }
}
