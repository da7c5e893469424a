export { chat, type Chat, type ChatUser } from '../testing/chat/chat.ts';
export { replay } from '../testing/replay.ts';
