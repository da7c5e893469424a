import {
  ApiError,
  badRequest,
  type Bouncer,
  type ParamsOf,
  type PushAccountId,
} from '@bellhop/protocol/bouncer';
import type { Selectable } from 'kysely';

import type { DeviceTable } from '../storage/tables.ts';

/**
 * What names a device in its realm: its account, for a chat server of the specification, or since level 468
 * the ID of its token, which all accounts on the phone share.
 */
export type DeviceName =
  | { readonly pushAccountId: PushAccountId; readonly tokenId?: undefined }
  | { readonly tokenId: string; readonly pushAccountId?: undefined };

/** Throws BAD_REQUEST for both names, REQUEST_VARIABLE_MISSING for none. */
export function deviceNameOf({
  push_account_id: pushAccountId,
  token_id: tokenId,
}: Pick<ParamsOf<Bouncer['push']['register']>, 'push_account_id' | 'token_id'>): DeviceName {
  if (tokenId !== undefined && pushAccountId !== undefined)
    throw badRequest(
      'token_id and push_account_id name a device in different versions of the protocol: send one of them',
    );
  if (tokenId !== undefined) return { tokenId };
  if (pushAccountId !== undefined) return { pushAccountId };
  throw new ApiError('REQUEST_VARIABLE_MISSING', {
    message: "Missing 'push_account_id' argument, or 'token_id' from level 468 on",
    data: { var_name: 'push_account_id' },
  });
}

/** The bytes of a token ID, as columns have them. */
export const tokenIdBytes = (tokenId: string): Buffer => Buffer.from(tokenId, 'base64');

/** The token ID of a column. */
export const tokenIdText = (bytes: Buffer | null): string | null =>
  bytes && bytes.toString('base64');

/** The names of a stored device as answers have them. One of them is null. */
export const namesOf = ({
  push_account_id,
  token_id,
}: Pick<Selectable<DeviceTable>, 'push_account_id' | 'token_id'>) => ({
  push_account_id: push_account_id === null ? null : String(push_account_id),
  token_id: tokenIdText(token_id),
});
