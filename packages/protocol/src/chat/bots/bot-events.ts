import { z } from 'zod';

import { UserId } from '../../values/ids.ts';
import { Bot } from './bot.ts';

const type = z.literal('realm_bot');
/** A bot that this reader may manage was created, changed or deleted. */
export const RealmBotEvent = z.discriminatedUnion('op', [
  z.object({ type, op: z.literal('add'), bot: Bot }),
  z.object({ type, op: z.literal('update'), bot: Bot.partial().extend({ user_id: UserId }) }),
  z.object({ type, op: z.literal('delete'), bot: z.object({ user_id: UserId }) }),
]);
