import { badRequest } from '@bellhop/protocol';

import { ApiError } from '../../engine/api-error.ts';
import type { App } from '../../engine/app.ts';
import { EVERYBODY } from '../../engine/audience.ts';
import type { Change } from '../../engine/call.ts';
import type { Realm } from '../../engine/caller.ts';
import type { Handlers, Resource } from '../../engine/resource.ts';
import { presentAsStored, type Presenter } from '../../engine/stored-event.ts';
import { findLinkifierMatches } from '../../markdown/find-linkifier-matches.ts';
import { checkLinkifier } from '../../model/linkifiers/check-linkifier.ts';
import * as queries from '../../model/linkifiers/queries.ts';
import { requireRoom } from '../../model/require-room.ts';

const handlers: Handlers<'linkifiers'> = {
  async list({ realm, db }) {
    return { linkifiers: await queries.ofRealm(db, realm.id) };
  },

  async test({ realm, params: { pattern, url_template, filter_id: id, text }, db }) {
    const rule = { pattern, url_template };
    try {
      checkLinkifier(
        { ...rule, ...(id === undefined ? {} : { id }) },
        await queries.ofRealm(db, realm.id),
      );
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return { problem: error.message, matches: [] };
    }
    return { problem: null, matches: findLinkifierMatches([rule], text) };
  },

  async add(call) {
    const { realm, params, db } = call;
    const others = await queries.ofRealm(db, realm.id);
    checkLinkifier(params, others);
    const id = await queries.insert(db, realm.id, params);
    await requireRoom(db, 'linkifier', { realm_id: realm.id });
    await emitAll(call);
    return { id };
  },

  async update(call) {
    const { realm, params, db } = call;
    const linkifier = { ...params, id: params.filter_id };
    const all = await queries.ofRealm(db, realm.id);
    if (!all.some(({ id }) => id === linkifier.id)) throw notFound();
    checkLinkifier(linkifier, all);
    await queries.update(db, realm.id, linkifier);
    await emitAll(call);
    return {};
  },

  async remove(call) {
    const { realm, params, db } = call;
    if (!(await queries.remove(db, realm.id, params.filter_id))) throw notFound();
    await emitAll(call);
    return {};
  },

  async reorder(call) {
    const { realm, params, db } = call;
    const all = await queries.ofRealm(db, realm.id);
    const ids = new Set(params.ordered_linkifier_ids);
    if (
      ids.size !== params.ordered_linkifier_ids.length ||
      ids.size !== all.length ||
      !all.every(({ id }) => ids.has(id))
    )
      throw badRequest('The ordered list must enumerate all existing linkifiers exactly once');
    await queries.reorder(db, realm.id, params.ordered_linkifier_ids);
    await emitAll(call);
    return {};
  },
};

/** Only clients that declare the capability read linkifiers with URL templates. */
const presentLinkifiers: Presenter = (event, reader) =>
  reader.registration.capabilities.linkifier_url_template ? presentAsStored(event, reader) : [];

export const linkifiers: Resource<'linkifiers'> = {
  handlers,
  state: {
    realm_linkifiers: async ({ db, realm, params }) => ({
      realm_linkifiers: params.client_capabilities.linkifier_url_template
        ? await queries.ofRealm(db, realm.id)
        : [],
    }),
    realm_filters: () => ({ realm_filters: [] }),
  },
  presenters: () => ({ realm_linkifiers: presentLinkifiers }),
};

const notFound = () => badRequest('Linkifier not found.');

async function emitAll({
  app,
  db,
  realm,
  emit,
}: Pick<Change<'realm_linkifiers'>, 'db' | 'emit'> & {
  readonly app: App;
  readonly realm: Realm;
}): Promise<void> {
  emit(
    { type: 'realm_linkifiers', realm_linkifiers: await queries.ofRealm(db, realm.id) },
    EVERYBODY,
  );
  app.realms.changed(db);
}
