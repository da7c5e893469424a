import type { App } from '../../engine/app.ts';
import type { Db } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import { type WholeMessage, wholeMessage } from '../messages/present-rows.ts';
import * as users from '../users/queries.ts';
import * as queries from './queries.ts';
import type { Delivery } from './webhook-delivery.ts';

/** A delivery with everything it refers to. */
export interface LoadedDelivery {
  readonly realm: Realm;
  readonly bot: User;
  readonly service: {
    readonly id: number;
    readonly base_url: string;
    readonly interface: number;
    readonly disabled_at: Date | null;
  };
  /** Opens it, which throws if the server's secret was changed. */
  readonly token: () => string;
  readonly trigger: Delivery['trigger'];
  readonly whole: WholeMessage;
}

/** Undefined once there is nobody to tell or nothing to tell of: the bot or the message is gone. */
export async function loadDelivery(
  db: Db,
  { realms, secrets, now }: Pick<App, 'realms' | 'secrets' | 'now'>,
  { realm_id, service_id, message_id, trigger }: Delivery,
): Promise<LoadedDelivery | undefined> {
  const realm = await realms.byId(realm_id);
  const service = await queries.service(db, realm.id, service_id);
  const bot = service && (await users.byId(db, realm.id, service.user_id));
  const whole = await wholeMessage(db, realm, message_id);
  if (!realm.is_active || !service || !bot?.is_active || !whole) return undefined;
  // Decided once: body and signature carry the same.
  const { token_sealed, old_token_sealed, old_token_until } = service;
  const isOld = old_token_until !== null && old_token_until.getTime() > now() * 1000;
  const sealed = (isOld && old_token_sealed) || token_sealed;
  return {
    realm,
    bot,
    service,
    token: () => secrets.open(sealed),
    trigger,
    whole,
  };
}
