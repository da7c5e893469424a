// The parts of the framework of a bot that `bellhop bot dev` and `bellhop bot receive` use. Not for
// bots.
export { sendReply, withRest } from '../deliveries/by-rest.ts';
export { DeliveryDispatcher } from '../deliveries/delivery-dispatcher.ts';
export { type Delivery, readDelivery } from '../delivery.ts';
export { listenToQueue } from '../queue/queue-transport.ts';
export { createRest } from '../rest/rest.ts';
export { startWork } from '../schedules/start-work.ts';
export { replayInMemory } from '../testing/chat/replay-in-memory.ts';
