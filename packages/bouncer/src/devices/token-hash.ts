import { hash } from 'node:crypto';

import type { Device } from './queries.ts';

/** The same for all accounts with this token. */
export const tokenHash = ({ token, token_kind }: Pick<Device, 'token' | 'token_kind'>): Buffer =>
  hash('sha256', `${token_kind}:${token}`, 'buffer');

/** Stands for the token in logs. */
export const shortHash = ({ token_hash }: Pick<Device, 'token_hash'>): string =>
  shortText(token_hash);

export const shortText = (hashed: Buffer): string => hashed.toString('hex').slice(0, 12);
