// The bots of people on a chat server, and what it sent to their webhooks.
export type { Client } from '@bellhop/client';
export type { BotDelivery, UserId } from '@bellhop/protocol';

export { deliveryLine } from '../bot/deliveries/delivery-text.ts';
export {
  knownLogins,
  loginHelp,
  loginOfEnvironment,
  type Logins,
  type OwnLogin,
} from '../bot/deliveries/logins.ts';
export { watchDeliveries } from '../bot/deliveries/watch-deliveries.ts';
