import { errorCode } from '@bellhop/postgres';

import { recordAction } from '../audit/audit-log.ts';
import { setDeactivated } from '../servers/queries.ts';
import { type Operator, OperatorError, signatureOf } from './operator.ts';
import { findServer } from './servers.ts';

/** Throws an OperatorError if another active server has the host name by now. */
export async function setServerActive(
  operator: Operator,
  subject: string,
  isActive: boolean,
): Promise<{ readonly hostname: string; readonly hasChanged: boolean }> {
  const { server_uuid: serverUuid, hostname } = await findServer(operator.database.kysely, subject);
  const action = isActive ? 'server_activated' : 'server_deactivated';
  try {
    const hasChanged = await operator.database.transaction(async (tx) => {
      const changed = await setDeactivated(tx, serverUuid, !isActive);
      if (changed) await recordAction(tx, { ...signatureOf(operator), action, serverUuid });
      return changed;
    });
    return { hostname, hasChanged };
  } catch (error) {
    if (errorCode(error) !== '23505') throw error;
    throw new OperatorError(`Another active chat server has the host name ${hostname}.`);
  }
}
