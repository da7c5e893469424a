import type { App } from '../../engine/app.ts';

/** Mails that an address gets in a day about invitations, whoever causes them. */
export const DAILY_MAILS_TO_ADDRESS = 5;

/** What `countMails` counts for an address. */
export const mailsTo = ({ secrets }: Pick<App, 'secrets'>, address: string): string =>
  `mails to ${secrets.mac(address.toLowerCase()).toString('base64')}`;
