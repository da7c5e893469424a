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
