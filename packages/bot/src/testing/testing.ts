export { replay } from './replay.ts';
export { chat } from './chat/chat.ts';
export type {
  Chat,
  ChatBotOptions,
  ChatOptions,
  ChatUser,
  NewChatUser,
  Voice,
} from './chat/chat.ts';
export type { Said } from './chat/talk.ts';
export { virtualClock, type VirtualClock } from './virtual-clock.ts';
export { fakeServer } from './fake-server/fake-server.ts';
export type { FakeServer, FakeServerOptions } from './fake-server/fake-server.ts';
export { emojiCodes } from './fake-server/emoji-codes.ts';
export type { Conversation, SeenMessage } from './fake-server/conversation.ts';
export type { FakeBot, FakeUser, NewBot } from './fake-server/fake-user.ts';
export type { Fault } from './fake-server/faults.ts';
export type { ApiCall } from './fake-server/serve-world.ts';
export type { Attempt, Delivery } from './fake-server/webhooks.ts';
