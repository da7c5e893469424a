import { recordAction } from '../audit/audit-log.ts';
import { createInvitation, inviteServer } from '../servers/invitations.ts';
import { type Operator, OperatorError, signatureOf } from './operator.ts';

interface NewInvitation {
  readonly validMs: number;
  /** The only server that may use it; then it has no token. */
  readonly serverUuid: string | undefined;
}

/** Throws an OperatorError if the server is registered already. */
export function invite(
  operator: Operator,
  { validMs, serverUuid }: NewInvitation,
): Promise<{ readonly token: string | undefined; readonly expires_at: Date }> {
  const signature = signatureOf(operator);
  const validity = { at: signature.at, expiresAt: new Date(signature.at.getTime() + validMs) };
  const detail = { until: validity.expiresAt.toISOString() };
  return operator.database.transaction(async (tx) => {
    await recordAction(tx, {
      ...signature,
      action: 'server_invited',
      ...(serverUuid === undefined ? {} : { serverUuid }),
      detail,
    });
    if (serverUuid === undefined)
      return { token: await createInvitation(tx, validity), expires_at: validity.expiresAt };
    const known = await tx
      .selectFrom('remote_server')
      .select('server_uuid')
      .where('server_uuid', '=', serverUuid)
      .executeTakeFirst();
    if (known) throw new OperatorError(`The chat server ${serverUuid} is registered already.`);
    await inviteServer(tx, serverUuid, validity);
    return { token: undefined, expires_at: validity.expiresAt };
  });
}
