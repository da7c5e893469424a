import { badRequest } from '@bellhop/protocol';

import { ApiError } from '../../engine/api-error.ts';
import type { Db } from '../../engine/call.ts';
import type { User } from '../../engine/caller.ts';
import type { Handlers, Resource } from '../../engine/resource.ts';
import { draftValues, draftRecord } from '../../model/drafts/draft-values.ts';
import * as queries from '../../model/drafts/queries.ts';
import { requireRoom } from '../../model/require-room.ts';
import * as users from '../../model/users/queries.ts';
import { settingOf } from '../../model/users/user-settings.ts';
import { presentUnsent, withShownTopic } from '../messages/present-unsent.ts';

const handlers: Handlers<'drafts'> = {
  async list({ user, params, db }) {
    requireSynchronization(user);
    const drafts = await draftsFor({ db, user, allowEmpty: params.allow_empty_topic_name });
    return { count: drafts.length, drafts };
  },

  async add({ actor, user, realm, params, db, emit }) {
    await users.lock(db, user);
    // Read after the lock: a draft stored while the setting is switched off would be kept for ever.
    requireSynchronization(await users.byId(db, realm.id, user.id));
    const drafts = [];
    for (const draft of params.drafts) {
      const values = await draftValues(db, actor, draft);
      drafts.push(draftRecord(await queries.insert(db, user, values)));
    }
    await requireRoom(db, 'draft', { realm_id: realm.id, user_id: user.id });
    if (drafts.length > 0) emit({ type: 'drafts', op: 'add', drafts }, [user.id]);
    return { ids: drafts.map(({ id }) => id) };
  },

  async update({ actor, user, params: { draft_id, draft }, db, emit }) {
    requireSynchronization(user);
    const values = await draftValues(db, actor, draft);
    const row = await queries.update(db, user, draft_id, values);
    if (!row) throw missingDraft();
    emit({ type: 'drafts', op: 'update', draft: draftRecord(row) }, [user.id]);
    return {};
  },

  async remove({ user, params: { draft_id }, db, emit }) {
    requireSynchronization(user);
    if (!(await queries.remove(db, user, draft_id))) throw missingDraft();
    emit({ type: 'drafts', op: 'remove', draft_id }, [user.id]);
    return {};
  },
};

export const drafts: Resource<'drafts'> = {
  handlers,
  state: {
    async drafts({ db, user, params }) {
      if (!isSynchronized(user)) return { drafts: [] };
      const allowEmpty = params.client_capabilities.empty_topic_name;
      return { drafts: (await draftsFor({ db, user, allowEmpty })).reverse() };
    },
  },
  presenters: () => ({ drafts: presentUnsent({ one: 'draft', many: 'drafts' }) }),
};

interface DraftsRequest {
  readonly db: Db;
  readonly user: User;
  /** Whether the client accepts the empty string as a topic. */
  readonly allowEmpty: boolean;
}

/** The drafts of a user, oldest edit first. */
const draftsFor = async ({ db, user, allowEmpty }: DraftsRequest) =>
  (await queries.ofUser(db, user)).map((row) => withShownTopic(draftRecord(row), allowEmpty));

const isSynchronized = (user: User): boolean =>
  settingOf('enable_drafts_synchronization', { user });

/** Throws BAD_REQUEST if the user has switched off the synchronization of drafts. */
function requireSynchronization(user: User | undefined): void {
  if (!user || !isSynchronized(user)) throw badRequest('User has disabled synchronizing drafts.');
}

/** A missing draft is BAD_REQUEST with the status 404: both the spec and public clients are right. */
const missingDraft = () =>
  new ApiError('BAD_REQUEST', { message: 'Draft does not exist', status: 404 });
