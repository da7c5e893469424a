import type { RequestListener } from 'node:http';

import { listener } from '@bellhop/bot/node';

import echo from '../bot/new/templates/echo/bot.ts';

/** Serves echo bots at one address. */
export const echoBots = (
  bots: readonly { readonly email: string; readonly token: string }[],
): RequestListener => listener(bots.map(({ email, token }) => echo({ email, token })));
