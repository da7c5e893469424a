import { ApiError } from '../../engine/api-error.ts';
import type { Handlers, Resource } from '../../engine/resource.ts';
import { requireRoom } from '../../model/require-room.ts';
import * as queries from '../../model/saved-snippets/queries.ts';
import * as users from '../../model/users/queries.ts';

const handlers: Handlers<'savedSnippets'> = {
  async list({ user, db }) {
    return { saved_snippets: await queries.ofUser(db, user) };
  },

  async add({ app, user, params: { title, content }, db, emit }) {
    await users.lock(db, user);
    const values = { title, content, date_created: app.now() };
    const saved_snippet = await queries.insert(db, user, values);
    await requireRoom(db, 'saved_snippet', { realm_id: user.realm_id, user_id: user.id });
    emit({ type: 'saved_snippets', op: 'add', saved_snippet }, [user.id]);
    return { saved_snippet_id: saved_snippet.id };
  },

  async update({ user, params: { saved_snippet_id: id, title, content }, db, emit }) {
    // As on the public server: without a change the snippet is not even looked up.
    if (title === undefined && content === undefined) return {};
    const changes = {
      ...(title !== undefined && { title }),
      ...(content !== undefined && { content }),
    };
    const saved_snippet = await queries.update(db, user, { id, ...changes });
    if (!saved_snippet) throw missingSnippet();
    emit({ type: 'saved_snippets', op: 'update', saved_snippet }, [user.id]);
    return {};
  },

  async remove({ user, params: { saved_snippet_id }, db, emit }) {
    if (!(await queries.remove(db, user, saved_snippet_id))) throw missingSnippet();
    emit({ type: 'saved_snippets', op: 'remove', saved_snippet_id }, [user.id]);
    return {};
  },
};

export const savedSnippets: Resource<'savedSnippets'> = {
  handlers,
  state: {
    saved_snippets: async ({ db, user }) => ({ saved_snippets: await queries.ofUser(db, user) }),
  },
};

const missingSnippet = () =>
  new ApiError('BAD_REQUEST', { message: 'Saved snippet does not exist.', status: 404 });
