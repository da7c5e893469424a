import type { BellhopAdapterConfig } from './adapter-config.ts';
import { BellhopAdapter } from './bellhop-adapter.ts';

export type { BellhopAdapterConfig, BellhopMode } from './adapter-config.ts';
export { BellhopAdapter } from './bellhop-adapter.ts';
export { BellhopFormatConverter } from './format-converter.ts';
export type { BellhopRawMessage } from './raw-message.ts';
export type { BellhopThreadId } from './thread-id.ts';
export type { ChannelMessage, DirectMessage } from '@bellhop/bot';
export type { Client } from '@bellhop/client/plain';

/**
 * The adapter of a bot, from options and environment variables. Throws a ValidationError that names all
 * that is missing.
 */
export const createBellhopAdapter = (config: BellhopAdapterConfig = {}): BellhopAdapter =>
  new BellhopAdapter(config);
