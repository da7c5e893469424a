import type { ChannelId, MessageId } from '@bellhop/protocol';

import { BotError } from '../../bot-error.ts';
import type { MentionedUser } from '../../mentions.ts';
import { attachmentsOf } from '../../rest/attachments.ts';
import {
  type Conversation,
  type Destination,
  destinationKey,
  type Place,
} from '../../rest/conversation.ts';
import type { PostedMessage } from '../../rest/posted-message.ts';
import { toReply } from '../../rest/reply.ts';
import { postedMessage, type Rest, type UserReference } from '../../rest/rest.ts';
import { onlyUser, type UserProfile } from '../../rest/user-profile.ts';
import { chatDownload } from './chat-files.ts';
import {
  addMessage,
  channelId,
  type ChatMessage,
  type ChatRoom,
  editMessage,
} from './chat-room.ts';

/** The REST API of a bot in a chat in memory. */
export function chatRest(room: ChatRoom): Rest {
  const messageWith = (id: MessageId): ChatMessage => {
    const message = room.messages.find((one) => one.id === id);
    if (message === undefined) throw new BotError('api_rejected', `There is no message ${id}`);
    return message;
  };

  const rest: Rest = {
    async post(message, destination: Destination): Promise<PostedMessage> {
      const reply = toReply(message);
      if (reply === undefined) throw new BotError('api_rejected', 'Message must not be empty');
      const { id } = addMessage(room, { destination, sender: room.bot, via: 'rest', ...reply });
      return postedMessage(rest, id);
    },
    async edit(id, content) {
      editMessage(room, messageWith(id), content);
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
    async user(who) {
      return profileIn(room, who);
    },
    async history(conversation, { before, limit, rendered = false }) {
      const key = destinationKey(conversation);
      return room.messages
        .filter(({ id, destination }) => id < before && destinationKey(destination) === key)
        .slice(-limit)
        .map(({ id, sender: { id: senderId, email, fullName }, content, timestamp }) => ({
          id,
          sender: { id: senderId, email, fullName },
          content: rendered ? (room.rendered.get(id) ?? '') : content,
          timestamp,
        }));
    },
    async find(conversation, { after, content }) {
      const key = destinationKey(conversation);
      return room.messages.find(
        (one) =>
          one.id > after &&
          one.sender.id === room.bot.id &&
          destinationKey(one.destination) === key &&
          one.content.trim() === content.trim(),
      )?.id;
    },
    async locate(to) {
      return placeIn(room, to);
    },
    attachments: (content) =>
      attachmentsOf(content, { siteUrl: undefined, download: chatDownload(room) }),
    async moveTopic(_id, from, { channel, topic = from.topic }) {
      const id = channel === undefined ? from.channelId : channelId(room, channel);
      const to: Conversation = { type: 'channel', channelId: id, topic };
      const key = destinationKey(from);
      for (const message of room.messages)
        if (destinationKey(message.destination) === key) message.destination = to;
      return to;
    },
    get client(): Rest['client'] {
      const message =
        'ctx.client needs a chat server, and there is none in chat() and receive(): use fakeServer() instead.';
      throw new BotError('api_missing', message);
    },
  };
  return rest;
}

function placeIn(room: ChatRoom, to: Destination): Place {
  if ('topic' in to) {
    const id = 'channel' in to ? channelId(room, to.channel) : (to.channelId as ChannelId);
    const { topic } = to;
    const channel = { id, name: room.channels[id - 1] ?? '' };
    return { conversation: { type: 'channel', channelId: id, topic }, topic: { channel, topic } };
  }
  const everybody = [room.bot, ...room.people];
  const named = 'emails' in to ? to.emails : to.userIds;
  const users = named.map((who) => {
    const user = everybody.find(({ id, email }) => id === who || email === who);
    if (user === undefined) throw new BotError('api_rejected', 'No such user');
    return user;
  });
  const others = users.filter(({ id }) => id !== room.bot.id);
  const userIds = (others.length > 0 ? others : users).map(({ id }) => id);
  return { conversation: { type: 'direct', userIds }, topic: undefined };
}

function profileIn({ people }: ChatRoom, who: UserReference): UserProfile {
  const profiles = people.map((one) => ({ ...one, timezone: 'UTC', isBot: false, isActive: true }));
  const id = typeof who === 'number' ? who : who.id;
  if (id === undefined) return onlyUser(profiles, who as MentionedUser);
  const found = profiles.find((one) => one.id === id);
  if (found === undefined) throw new BotError('api_rejected', 'No such user');
  return found;
}
