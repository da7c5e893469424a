import { stringifyJson } from '@bellhop/protocol';
import { z } from 'zod';

import type { App } from '../../engine/app.ts';
import type { OutgoingMail } from '../../mail/mailer.ts';

export const MAIL_PAGES_PATH = '/mail_pages/';
const SECONDS = 3600;

const Ticket = z.object({
  use: z.literal('mail page'),
  mail_id: z.string(),
  realm_id: z.int(),
  expires: z.int(),
});
type TicketApp = Pick<App, 'secrets' | 'now'>;

/** The address at which a mail is shown as HTML for an hour: a frame of a page sends no login. */
export function mailPath({ secrets, now }: TicketApp, { id, realm_id }: OutgoingMail): string {
  const ticket = { use: 'mail page', mail_id: id, realm_id, expires: now() + SECONDS } as const;
  return MAIL_PAGES_PATH + secrets.seal(stringifyJson(ticket)).toString('base64url');
}

/** The mail of an address; undefined if the address is invalid or has expired. */
export function mailOfPath({ secrets, now }: TicketApp, path: string) {
  const sealed = Buffer.from(path.slice(MAIL_PAGES_PATH.length), 'base64url');
  try {
    const ticket = Ticket.parse(JSON.parse(secrets.open(sealed)));
    return ticket.expires > now() ? ticket : undefined;
  } catch {
    return undefined;
  }
}
