import type { PushDeviceState } from '@bellhop/protocol';
import type { z } from 'zod';

import type { Db } from '../../engine/call.ts';
import type { User } from '../../engine/caller.ts';
import * as queries from './queries.ts';

/** The `push_devices` of `/register`: the state of each device, by push_account_id as text. */
export async function pushDevicesOf(
  db: Db,
  user: Pick<User, 'id' | 'realm_id'>,
): Promise<Record<string, z.output<typeof PushDeviceState>>> {
  const rows = await queries.ofUser(db, user);
  return Object.fromEntries(
    rows.map(({ push_account_id, bouncer_device_id, error_code }) => {
      if (error_code !== null) return [String(push_account_id), { status: 'failed', error_code }];
      const status = bouncer_device_id === null ? 'pending' : 'active';
      return [String(push_account_id), { status, error_code }];
    }),
  );
}
