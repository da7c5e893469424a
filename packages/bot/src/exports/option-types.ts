// The types of the options of a bot, which several entries name.
export type { ApiAccess, BotIdentity, BotOptions } from '../bot-options.ts';
export type { Clock } from '../clock.ts';
export type { Order } from '../message-order.ts';
export type * from './hook-types.ts';
export type * from './message-types.ts';
export type * from './store-types.ts';
