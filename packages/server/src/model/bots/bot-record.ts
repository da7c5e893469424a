import { type Bot, roles, type UserId } from '@bellhop/protocol';

import type { Db } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import type { Secrets } from '../../engine/secrets.ts';
import { apiEmail, avatarUrl } from '../users/user-record.ts';
import { readsSecrets } from './access.ts';
import * as queries from './queries.ts';

interface RecordContext {
  readonly realm: Realm;
  readonly secrets: Secrets;
  /** The reader of the records. */
  readonly viewer: Pick<User, 'role'>;
}

/**
 * The bots that a user manages, as in `realm_bots`, also deactivated ones: all of the realm for an
 * administrator, else the user's own.
 */
export const botsManagedBy = (
  db: Db,
  context: Omit<RecordContext, 'viewer'>,
  viewer: User,
): Promise<Bot[]> =>
  botRecords(db, { ...context, viewer }, viewer.role <= roles.admin ? {} : { owner_id: viewer.id });

/**
 * Bots as the viewer sees them: all of the realm, those of an owner, or one. API keys and tokens
 * are decrypted, and omitted if `readsSecrets` is false.
 */
export async function botRecords(
  db: Db,
  { realm, secrets, viewer }: RecordContext,
  which: { owner_id?: UserId; id?: UserId },
): Promise<Bot[]> {
  const bots = await queries.bots(db, realm.id, which);
  const ids = bots.map(({ id }) => id);
  const services = ids.length === 0 ? [] : await queries.servicesOf(db, realm.id, ids);
  return bots.map((bot) => {
    const record = {
      user_id: bot.id,
      full_name: bot.full_name,
      email: apiEmail(bot, realm),
      bot_type: bot.bot_type ?? 1,
      is_active: bot.is_active,
      api_key: secrets.open(bot.api_key_sealed),
      default_sending_stream: bot.default_sending_stream,
      default_events_register_stream: bot.default_events_register_stream,
      default_all_public_streams: bot.default_all_public_streams ?? false,
      avatar_url: avatarUrl(bot, realm),
      owner_id: bot.bot_owner_id,
      services: services
        .filter(({ user_id }) => user_id === bot.id)
        .map(({ base_url, interface: type, token_sealed }) => ({
          base_url,
          interface: type === 2 ? (2 as const) : (1 as const),
          token: secrets.open(token_sealed),
        })),
    };
    return readsSecrets(viewer, bot) ? record : withoutSecrets(record);
  });
}

/** A bot, or changes of one, without API key and tokens. */
export function withoutSecrets<B extends Partial<Pick<Bot, 'api_key' | 'services'>>>(
  bot: B,
): Omit<B, 'api_key'> {
  const { api_key: _key, ...rest } = bot;
  const { services } = bot;
  if (services === undefined) return rest;
  return {
    ...rest,
    services: services.map((service) => {
      if (!('token' in service)) return service;
      const { token: _token, ...shown } = service;
      return shown;
    }),
  };
}
