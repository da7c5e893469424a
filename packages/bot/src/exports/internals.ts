// The parts of the framework of a bot that `bellhop bot dev` and `bellhop bot receive` use. Not for
// bots.
export { type Delivery, readDelivery } from '../delivery.ts';
export { listenToQueue } from '../queue/queue-transport.ts';
export { observe } from '../rest/observe.ts';
export { createRest } from '../rest/rest.ts';
export { Runtime } from '../runtime.ts';
export { receiveInMemory } from '../testing/chat/receive-in-memory.ts';
export { portFrom } from '../start-options.ts';
