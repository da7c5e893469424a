export { codeOf, connectionFault, parserFault } from './connection-fault.ts';
export { decodeContent, UndecodableContent } from './decode-content.ts';
export type { DeliveryFault } from '@bellhop/protocol/contract';
export type { ConnectionFault } from './connection-fault.ts';
export type { DecodingDetails } from './decode-content.ts';
