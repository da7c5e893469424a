// The types of hooks, which several entries name.
export type { MessageId } from '@bellhop/protocol';

export type { BotErrorCode } from '../bot-error.ts';
export type { ChangeTrigger, Trigger } from '../delivery.ts';
export type {
  DeliveryInfo,
  DeliveryReport,
  Failure,
  Hooks,
  RefusalReason,
  Warning,
} from '../hooks.ts';
