export { replay } from './replay.ts';
export { chat } from './chat/chat.ts';
export type {
  Chat,
  ChatBotOptions,
  ChatOptions,
  ChatUser,
  NewChatUser,
  ChatVoice,
} from './chat/chat.ts';
export type { ChatMessage } from './chat/chat-room.ts';
export { virtualClock, type VirtualClock } from './virtual-clock.ts';
