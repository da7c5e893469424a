import { enqueue } from '@bellhop/jobs';
import { RealmId, roles, UserId } from '@bellhop/protocol';
import { z } from 'zod';

import type { JobApp } from '../../engine/app.ts';
import type { Tx } from '../../engine/call.ts';
import type { User } from '../../engine/caller.ts';
import { job } from '../../engine/job.ts';
import * as channelRows from '../../model/channels/channel-rows.ts';
import { messageAudience } from '../../model/messages/read/message-audience.ts';
import * as realms from '../../model/realms/queries.ts';
import * as erased from '../../model/users/erased-person.ts';
import * as queries from '../../model/users/queries.ts';
import { deleteBatch } from '../messages/delete/delete-batch.ts';
import { removeUploads } from '../uploads/remove-uploads.ts';
import { changingUser } from '../user-events/emit-user-changes.ts';
import { deactivatePerson } from './deactivate-user.ts';

const Payload = z.object({ realm_id: RealmId, user_id: UserId, deletes_messages: z.boolean() });
type Payload = z.output<typeof Payload>;

/** Messages and files that one transaction deletes. */
const BATCH = 200;

/**
 * Erases the data of a person for good: see docs/moving.md for what stays. It goes in pieces, and a piece
 * that is done has nothing left to do: an attempt that was interrupted is repeated.
 */
export const erasePerson = job<Payload>({
  name: 'erase_person',
  payload: Payload,
  retry: [5, 60, 600, 3600, 3600, 3600],
  timeoutMs: 3_600_000,
  async run({ realm_id, user_id, deletes_messages }, app, { signal }) {
    const user = await queries.byId(app.db.kysely, realm_id, user_id);
    if (!user) return;
    await eraseAccount(app, user);
    const repeat = async (piece: () => Promise<boolean>) => {
      while (await piece()) signal.throwIfAborted();
    };
    await repeat(() => app.change({ id: realm_id }, ({ db }) => erased.eraseFlags(db, user)));
    if (deletes_messages) {
      await app.change({ id: realm_id }, ({ db }) => erased.eraseReactions(db, user));
      await repeat(() => deleteSome(app, user));
    }
    await repeat(() => removeSomeFiles(app, user, deletes_messages));
  },
});

/** Deactivates somebody as an administrator does, and takes away what says who they were. */
const eraseAccount = (app: JobApp, { id, realm_id }: User): Promise<void> =>
  app.change({ id: realm_id }, async (open) => {
    const db = await realms.lock(open.db, realm_id);
    const change = { ...open, db };
    const realm = await app.realms.byIdIn(db, realm_id);
    const user = await queries.byId(db, realm_id, id);
    if (!user) return;
    if (user.is_active) await deactivatePerson(app, change, { realm, user });
    const inactive = { ...user, is_active: false };
    await changingUser(change, { realm, user: inactive }, async () => {
      await erased.erasePerson(db, user, app.secrets);
      await change.endLogins(user);
    });
  });

/** Deletes some of their messages, with events. Returns false at the end. */
const deleteSome = (app: JobApp, user: User): Promise<boolean> =>
  app.change({ id: user.realm_id }, async (change) => {
    const { db, emit } = change;
    const realm = await app.realms.byIdIn(db, user.realm_id);
    const messages = await erased.ownMessages(db, user, BATCH);
    const ids = messages.flatMap(({ channel_id }) => channel_id ?? []);
    const channels = new Map(
      (await channelRows.byIds(db, realm.id, [...new Set(ids)])).map((row) => [row.id, row]),
    );
    for (const { id, channel_id, topic } of messages) {
      const channel = channel_id === null ? null : (channels.get(channel_id) ?? null);
      const { audience } = await messageAudience(db, realm, { id, channel, user: null });
      const place = channel
        ? ({ message_type: 'stream', stream_id: channel.id, topic } as const)
        : ({ message_type: 'private' } as const);
      emit({ type: 'delete_message', message_ids: [id], ...place }, audience);
    }
    await deleteBatch(change, {
      realm,
      ids: messages.map(({ id }) => id),
      channels: [...channels.keys()],
      now: app.now(),
    });
    return messages.length > 0;
  });

const removeSomeFiles = (app: JobApp, user: User, withLinked: boolean): Promise<boolean> =>
  app.change({ id: user.realm_id }, async (change) => {
    const ids = await erased.ownUploads(change.db, user, { withLinked, limit: BATCH });
    return (await removeUploads(change, { id: user.realm_id }, ids)) > 0;
  });

/**
 * Why somebody cannot be erased, or the person who can be: `unknown` without such an address, `only owner` if
 * the organization would have no owner left.
 */
export async function personToErase(
  tx: Tx,
  realm: RealmId,
  email: string,
): Promise<User | 'unknown' | 'only owner'> {
  const user = await queries.byEmail(tx, realm, email);
  if (!user || user.is_bot) return 'unknown';
  const owners = await queries.countActivePeople(tx, realm, { lowestRole: roles.owner });
  return user.role === roles.owner && user.is_active && owners === 1 ? 'only owner' : user;
}

/** Starts the job that erases somebody. A running server begins at once, others when they start. */
export const startErasure = async (
  tx: Tx,
  { id, realm_id }: User,
  { deletesMessages }: { readonly deletesMessages: boolean },
): Promise<void> => {
  await enqueue(tx, erasePerson, { realm_id, user_id: id, deletes_messages: deletesMessages });
};
