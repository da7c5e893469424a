import type { MessageId, User, UserId } from '@bellhop/protocol';
import { roles } from '@bellhop/protocol/plain';

import { BotError } from '../../bot-error.ts';
import { toReply } from '../../reply.ts';
import { attachmentsOf } from '../../rest/attachments.ts';
import { type Conversation, type Destination, destinationKey } from '../../rest/conversation.ts';
import type { PostedMessage } from '../../rest/posted-message.ts';
import type { Rest } from '../../rest/rest.ts';
import { chatDownload } from './chat-files.ts';
import { addMessage, channelId, type ChatMessage, type ChatRoom } from './chat-room.ts';

/** The REST API of a bot in a chat in memory. */
export function chatRest(room: ChatRoom): Rest {
  const messageWith = (id: MessageId): ChatMessage => {
    const message = room.messages.find((one) => one.id === id);
    if (message === undefined) throw new BotError('api_rejected', `There is no message ${id}`);
    return message;
  };

  const rest: Rest = {
    async post(destination: Destination, message): Promise<PostedMessage> {
      const reply = toReply(message);
      if (reply === undefined) throw new BotError('api_rejected', 'Message must not be empty');
      const { id } = addMessage(room, { destination, from: room.bot, via: 'rest', ...reply });
      return {
        id,
        edit: (content) => rest.edit(id, content),
        remove: () => rest.remove(id),
        react: (emojiName) => rest.react(id, emojiName),
      };
    },
    async edit(id, content) {
      const message = messageWith(id);
      message.edits.push(message.text);
      message.text = content;
    },
    async remove(id) {
      room.messages.splice(room.messages.indexOf(messageWith(id)), 1);
    },
    async react(id, emojiName) {
      messageWith(id).reactions.push(emojiName);
    },
    async unreact(id, emojiName) {
      const { reactions } = messageWith(id);
      const at = reactions.indexOf(emojiName);
      if (at < 0) throw new BotError('api_rejected', 'Reaction does not exist.');
      reactions.splice(at, 1);
    },
    async typing(_conversation, op) {
      room.typing = op === 'start';
    },
    async upload(file) {
      const url = `/user_uploads/1/${room.uploads.push(file)}/${file.name}`;
      return { url, markdown: `[${file.name}](${url})` };
    },
    async user(id) {
      return userOf(room, id);
    },
    async history(conversation, { before, limit }) {
      const key = destinationKey(conversation);
      return room.messages
        .filter(({ id, destination }) => id < before && destinationKey(destination) === key)
        .slice(-limit)
        .map(({ id, from: { email, full_name: fullName, ...from }, text, timestamp }) => ({
          id,
          sender: { id: from.id, email, fullName },
          content: text,
          timestamp,
        }));
    },
    attachments: (content) =>
      attachmentsOf(content, { siteUrl: undefined, download: chatDownload(room) }),
    async moveTopic(_id, from, { channel, topic = from.topic }) {
      const channel_id = channel === undefined ? from.channel_id : channelId(room, channel);
      const to: Conversation = { type: 'channel', channel_id, topic };
      const key = destinationKey(from);
      for (const message of room.messages)
        if (destinationKey(message.destination) === key) message.destination = to;
      return to;
    },
    get client(): Rest['client'] {
      const message = 'ctx.client does not work in chat(): use fakeServer() instead.';
      throw new BotError('api_missing', message);
    },
  };
  return rest;
}

function userOf(room: ChatRoom, id: UserId): User {
  const person = room.people.find((one) => one.id === id);
  if (person === undefined) throw new BotError('api_rejected', 'No such user');
  const { email, full_name, role } = person;
  return {
    user_id: id,
    email,
    delivery_email: email,
    full_name,
    role: roles[role],
    is_owner: role === 'owner',
    is_admin: role === 'admin' || role === 'owner',
    is_guest: role === 'guest',
    is_active: true,
    is_bot: false,
    date_joined: '2026-01-01T00:00:00+00:00',
    timezone: 'UTC',
    avatar_url: null,
    avatar_version: 1,
  };
}
