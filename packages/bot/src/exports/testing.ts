export {
  type ChannelSpeaker,
  chat,
  type Chat,
  type ChatBotOptions,
  type ChatMessageOptions,
  type ChatOptions,
  type ChatSpeaker,
  type ChatUser,
  type ChatUserOptions,
} from '../testing/chat/chat.ts';
export type { ChatChanges } from '../testing/chat/chat-changes.ts';
export type { ChatMessage, ChatPerson } from '../testing/chat/chat-room.ts';
export { receive } from '../testing/receive.ts';
export type { VirtualClock } from '../testing/virtual-clock.ts';

export type { AnyBot } from '../internals.ts';
export type { CheckedReply, Reply } from '../rest/reply.ts';
export type { RoleName } from '../role-name.ts';
export type * from './option-types.ts';
