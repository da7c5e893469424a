// The parts of the framework of a bot that `bellhop bot dev` and `bellhop bot receive` use. Not for
// bots.
export { DeliveryDispatcher } from '../deliveries/delivery-dispatcher.ts';
export { sendOnce } from '../deliveries/send-once.ts';
export { type Delivery, type Person, readDelivery } from '../delivery.ts';
export { withInternals } from '../internals.ts';
export { listenToQueue } from '../queue/queue-transport.ts';
export { replyBody } from '../reply.ts';
export { conversationOf } from '../rest/conversation.ts';
export { restReplySender } from '../rest/rest-reply-sender.ts';
export { createRest } from '../rest/rest.ts';
export { startWork } from '../schedules/start-work.ts';
export { chatRest } from '../testing/chat/chat-rest.ts';
export { chatFollowUps } from '../testing/chat/chat-follow-ups.ts';
export { addMessage, newRoom, type ChatMessage, type ChatRoom } from '../testing/chat/chat-room.ts';
