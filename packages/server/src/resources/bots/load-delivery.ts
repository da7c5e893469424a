import type { App } from '../../engine/app.ts';
import type { Db } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import { type WholeMessage, wholeMessage } from '../messages/whole-message.ts';
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
  /** Opened when it is read, which throws if the server's secret was changed. */
  readonly token: string;
  readonly trigger: Delivery['trigger'];
  readonly whole: WholeMessage;
}

/** Undefined once there is nobody to tell or nothing to tell of: the bot or the message is gone. */
export async function loadDelivery(
  db: Db,
  { realms, secrets }: Pick<App, 'realms' | 'secrets'>,
  { realm_id, service_id, message_id, trigger }: Delivery,
): Promise<LoadedDelivery | undefined> {
  const realm = await realms.byId(realm_id);
  const service = await queries.service(db, realm.id, service_id);
  const bot = service && (await users.byId(db, realm.id, service.user_id));
  const whole = await wholeMessage(db, realm, message_id);
  if (!realm.is_active || !service || !bot?.is_active || !whole) return undefined;
  return {
    realm,
    bot,
    service,
    get token() {
      return secrets.open(service.token_sealed);
    },
    trigger,
    whole,
  };
}
