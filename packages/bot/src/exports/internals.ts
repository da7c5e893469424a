// The parts of the framework of a bot that `bellhop bot dev`, `bellhop bot receive` and the adapter of
// the Chat SDK use. Not for bots.
export { readRequest, webResponse } from '../adapters/fetch-handler.ts';
export { type Delivery, readDelivery } from '../delivery.ts';
export { isRefused, openDelivery, type Recipient, refusalResponse } from '../open-delivery.ts';
export { messageOf } from '../queue/message-delivery.ts';
export { listenToQueue, type QueueListener } from '../queue/queue-transport.ts';
export { readAll, uploadLinks } from '../rest/attachments.ts';
export { downloadFile } from '../rest/download-file.ts';
export { narrowTo } from '../rest/narrow-to.ts';
export { observe } from '../rest/observe.ts';
export { plainText } from '../rest/plain-text.ts';
export { createRest } from '../rest/rest.ts';
export { streamReply } from '../rest/stream-reply.ts';
export { addressedText } from '../routing/addressed-text.ts';
export { comparableTokens, type ComparableToken, randomToken } from '../webhook-token.ts';
export { Runtime } from '../runtime.ts';
export { receiveInMemory } from '../testing/chat/receive-in-memory.ts';
export { portFrom } from '../start-options.ts';
