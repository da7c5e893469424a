import type { Download, Exchange } from '@bellhop/http';
import { ApiError } from '@bellhop/protocol';

import type { App } from '../../engine/app.ts';
import { mailOfPath } from './mail-ticket.ts';

/** Finds the HTML of a mail by its ticket. It is sent like an upload: nothing in it runs. */
export const findMailPage =
  (app: App) =>
  async (exchange: Exchange): Promise<Download> => {
    const lookUp = app.addressLimit.lookUpFor(exchange);
    const realm = await app.realms.atHost(exchange.host, lookUp);
    if (!realm.is_active) throw new ApiError('REALM_DEACTIVATED');
    const mail = await lookUp(async () => {
      const ticket = mailOfPath(app, exchange.path);
      if (ticket?.realm_id !== realm.id) return undefined;
      return (await app.mailer.kept?.(realm.id))?.find(({ id }) => id === ticket.mail_id);
    });
    if (!mail) throw new ApiError('NOT_FOUND', { message: 'This mail is no longer here.' });
    const bytes = Buffer.from(mail.html);
    return {
      name: 'mail.html',
      type: 'text/html; charset=utf-8',
      isShown: true,
      size: bytes.length,
      tag: mail.id,
      read: async function* read(from, to) {
        yield bytes.subarray(from, to);
      },
    };
  };
