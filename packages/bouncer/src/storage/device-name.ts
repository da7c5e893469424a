import type { PushAccountId } from '@bellhop/protocol/bouncer';
import type { Selectable } from 'kysely';

import type { DeviceTable } from './tables.ts';

/**
 * What names a device in its realm: its account, for a chat server of the specification, or since level 468
 * the ID of its token, which all accounts on the phone share.
 */
export type DeviceName =
  | { readonly pushAccountId: PushAccountId; readonly tokenId?: undefined }
  | { readonly tokenId: string; readonly pushAccountId?: undefined };

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
