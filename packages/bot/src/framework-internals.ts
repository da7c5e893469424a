// What `bellhop bot dev` and `bellhop bot receive` need of the framework that a bot uses. Not for bots.
export { Desk } from './deliveries/desk.ts';
export { sayOnce } from './deliveries/say-once.ts';
export { readDelivery } from './delivery.ts';
export { withInternals } from './inside.ts';
export { listenToQueue } from './queue/queue-transport.ts';
export { replyBody } from './reply.ts';
export { placeOf } from './rest/place.ts';
export { restSpeaker } from './rest/rest-speaker.ts';
export { createRest, type Rest } from './rest/rest.ts';
export { startWork } from './schedules/start-work.ts';
export { chatRest } from './testing/chat/chat-rest.ts';
export { sayIn, type Talk } from './testing/chat/talk.ts';
