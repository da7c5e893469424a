import { badRequest } from '@bellhop/protocol';

import { ApiError } from '../../engine/api-error.ts';
import type { App } from '../../engine/app.ts';
import { EVERYBODY } from '../../engine/audience.ts';
import type { Change, Db } from '../../engine/call.ts';
import type { Realm } from '../../engine/caller.ts';
import type { Handlers, Resource } from '../../engine/resource.ts';
import { requireMayAdd, requireMayRemove } from '../../model/realm-emoji/access.ts';
import { emojiImage } from '../../model/realm-emoji/emoji-image.ts';
import * as queries from '../../model/realm-emoji/queries.ts';
import { requireRoom } from '../../model/require-room.ts';

const handlers: Handlers<'realmEmoji'> = {
  list: async ({ realm, db }) => ({ emoji: await queries.ofRealm(db, realm.id) }),

  async upload({ app, params, file, db: now, change, before }) {
    const name = checkEmojiName(params.emoji_name);
    await requireMayAdd(now, before, name);
    await requireFree(now, before.realm, name);
    if (!file) throw badRequest('You must upload exactly one file.');
    const image = await emojiImage(app.images, before.user, file);
    await change(async ({ db, emit, actor, realm, user }) => {
      await requireMayAdd(db, actor, name);
      await requireFree(db, realm, name);
      await queries.insert(db, { realm_id: realm.id, name, author_id: user.id, ...image });
      await requireRoom(db, 'realm_emoji', { realm_id: realm.id, author_id: user.id });
      await announce(app, { db, emit }, realm);
    });
    return {};
  },

  async remove({ app, realm, user, params, db, emit }) {
    const name = params.emoji_name;
    const emoji = await queries.activeNamed(db, realm.id, name);
    if (!emoji)
      throw new ApiError('BAD_REQUEST', {
        message: `Emoji '${name}' does not exist`,
        status: 404,
      });
    requireMayRemove(user, emoji);
    await queries.deactivate(db, realm.id, emoji.id);
    await announce(app, { db, emit }, realm);
    return {};
  },
};

export const realmEmoji: Resource<'realmEmoji'> = {
  handlers,
  state: {
    realm_emoji: async ({ db, realm }) => ({ realm_emoji: await queries.ofRealm(db, realm.id) }),
  },
};

/** Throws BAD_REQUEST if an active emoji has the name. */
async function requireFree(db: Db, { id }: Realm, name: string): Promise<void> {
  if (await queries.activeNamed(db, id, name))
    throw badRequest('A custom emoji with this name already exists.');
}

async function announce(
  app: App,
  { db, emit }: Pick<Change<'realm_emoji'>, 'db' | 'emit'>,
  { id }: Realm,
): Promise<void> {
  const realm_emoji = await queries.ofRealm(db, id);
  emit({ type: 'realm_emoji', op: 'update', realm_emoji }, EVERYBODY);
  app.realms.changed(db);
}

/** The name of a new custom emoji, with underscores for spaces. Throws BAD_REQUEST. */
function checkEmojiName(text: string): string {
  const name = text.trim().replaceAll(' ', '_');
  if (name === '') throw badRequest('Emoji name is missing');
  if (!/^[0-9a-z_-]+$/.test(name))
    throw badRequest(
      'Emoji names have only lower-case English letters, digits, spaces, dashes and underscores.',
    );
  if (!/[0-9a-z]$/.test(name)) throw badRequest('Emoji names end with a letter or a digit.');
  return name;
}
