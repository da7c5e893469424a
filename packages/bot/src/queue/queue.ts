export { connect } from './connect.ts';
export type { Connection, ConnectOptions } from './connect.ts';
export { listenToQueue } from './queue-transport.ts';
export type { QueueListener, QueueOptions } from './queue-transport.ts';
export type { QueueBot, ReceivedMessage } from './message-delivery.ts';
