import { badRequest } from '@bellhop/protocol';

import { EVERYBODY } from '../../engine/audience.ts';
import type { Change } from '../../engine/call.ts';
import type { Realm } from '../../engine/caller.ts';
import type { Resource } from '../../engine/resource.ts';
import { checkTemplate } from '../../markdown/url-template.ts';
import * as queries from '../../model/playgrounds/queries.ts';
import { requireRoom } from '../../model/require-room.ts';

export const playgrounds: Resource<'playgrounds'> = {
  handlers: {
    async add(call) {
      const { realm, params, db } = call;
      if (!/^[A-Za-z0-9 _+\-./#]+$/.test(params.highlighter_language))
        throw badRequest('Invalid characters in highlighter language');
      checkCodeTemplate(params.url_template);
      const id = await queries.insert(db, realm.id, params);
      if (id === undefined)
        throw badRequest('A code playground with this language and name already exists.');
      await requireRoom(db, 'playground', { realm_id: realm.id });
      await emitAll(call);
      return { id };
    },

    async remove(call) {
      const { realm, params, db } = call;
      if (!(await queries.remove(db, realm.id, params.playground_id)))
        throw badRequest('Invalid playground');
      await emitAll(call);
      return {};
    },
  },
  state: {
    realm_playgrounds: async ({ db, realm }) => ({
      realm_playgrounds: await queries.ofRealm(db, realm.id),
    }),
  },
};

/** Throws BAD_REQUEST unless the only variable of the template is `code`. */
function checkCodeTemplate(template: string): void {
  const variables = checkTemplate(template, badRequest);
  if (!variables.has('code'))
    throw badRequest('Missing the required variable "code" in the URL template');
  if (variables.size > 1)
    throw badRequest('"code" should be the only variable present in the URL template');
}

async function emitAll({
  db,
  realm,
  emit,
}: Pick<Change<'realm_playgrounds'>, 'db' | 'emit'> & { readonly realm: Realm }): Promise<void> {
  emit(
    { type: 'realm_playgrounds', realm_playgrounds: await queries.ofRealm(db, realm.id) },
    EVERYBODY,
  );
}
