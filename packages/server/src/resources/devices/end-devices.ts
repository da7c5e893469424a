import type { Change } from '../../engine/call.ts';
import type { Realm } from '../../engine/caller.ts';
import * as queries from './queries.ts';

/**
 * Ends devices: nothing is sent to them any more until the phone registers again. The clients of their
 * users learn it as a failed registration. Ends no device that has registered again since it was read.
 */
export async function endDevices(
  { db, emit }: Pick<Change<'push_device'>, 'db' | 'emit'>,
  realm: Pick<Realm, 'id'>,
  devices: readonly queries.EndedDevice[],
): Promise<void> {
  for (const { user_id, push_account_id } of await queries.end(db, realm.id, devices))
    emit(
      {
        type: 'push_device',
        push_account_id: String(push_account_id),
        status: 'failed',
        error_code: 'REQUEST_EXPIRED',
      },
      [user_id],
    );
}
