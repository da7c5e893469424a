import { recordAction } from '../audit/audit-log.ts';
import {
  createInvitation,
  inviteServer,
  type OpenInvitation,
  openInvitations,
  revokeInvitation,
} from '../servers/invitations.ts';
import { type Operator, OperatorError, signatureOf } from './operator.ts';

interface NewInvitation {
  readonly validMs: number;
  /** The ID of the only server that may use the invitation, which then has no token. */
  readonly serverUuid: string | undefined;
}

interface IssuedInvitation {
  readonly number: number;
  readonly token: string | undefined;
  readonly expires_at: Date;
}

/** Throws an OperatorError if the server is registered already. */
export function invite(
  operator: Operator,
  { validMs, serverUuid }: NewInvitation,
): Promise<IssuedInvitation> {
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
      return { ...(await createInvitation(tx, validity)), expires_at: validity.expiresAt };
    const known = await tx
      .selectFrom('remote_server')
      .select('server_uuid')
      .where('server_uuid', '=', serverUuid)
      .executeTakeFirst();
    if (known) throw new OperatorError(`The chat server ${serverUuid} is registered already.`);
    const number = await inviteServer(tx, serverUuid, validity);
    return { number, token: undefined, expires_at: validity.expiresAt };
  });
}

/** The invitations that can still be used, the newest first. */
export const listInvitations = ({ database, now }: Operator): Promise<OpenInvitation[]> =>
  openInvitations(database.kysely, new Date(now()));

/** Throws an OperatorError if there is no such invitation, or if it was used or has expired. */
export async function revoke(operator: Operator, number: number): Promise<void> {
  const signature = signatureOf(operator);
  await operator.database.transaction(async (tx) => {
    const revoked = await revokeInvitation(tx, number, signature.at);
    if (!revoked)
      throw new OperatorError(
        `There is no open invitation ${number}: it may have been used, or has expired.`,
      );
    await recordAction(tx, {
      ...signature,
      action: 'invitation_revoked',
      ...(revoked.server_uuid === null ? {} : { serverUuid: revoked.server_uuid }),
      detail: { invitation: number },
    });
  });
}
