import { addressedText, type Delivery } from '@bellhop/bot/internals';
import type { Adapter, ChatInstance, Message, WebhookOptions } from 'chat';

import type { CardButtons, Press } from './card-buttons.ts';
import { emojiValue } from './emoji.ts';
import { type BellhopRawMessage, rawOfDelivery } from './raw-message.ts';
import { channelIdOf } from './thread-id.ts';
import { authorOf } from './to-message.ts';

/** Calls the handlers of the Chat. Settles when they have ended; the Chat logs what they throw. */
export type Handle = (options?: WebhookOptions) => Promise<void> | void;

interface DeliveryParts {
  readonly adapter: Adapter;
  readonly chat: ChatInstance;
  readonly ownId: number;
  readonly buttons: CardButtons;
  readonly threadIdOf: (raw: BellhopRawMessage) => Promise<string>;
  readonly messageOf: (raw: BellhopRawMessage, threadId: string) => Message<BellhopRawMessage>;
  /** False for an ID that was noted before: servers repeat deliveries whose answer was lost. */
  readonly noteOnce: (id: string) => Promise<boolean>;
}

const nothing: Handle = () => {};

/** Reads a delivery of either way of receiving, and looks up what it means. */
export async function prepareDelivery(
  { adapter, chat, ownId, buttons, threadIdOf, messageOf, noteOnce }: DeliveryParts,
  delivery: Delivery,
): Promise<Handle> {
  const { change, message: said } = delivery;
  if ((change?.by ?? said.sender).id === ownId && delivery.trigger !== 'delete') return nothing;
  if (change !== undefined && !(await noteOnce(change.id))) return nothing;
  const raw = rawOfDelivery(delivery);
  const threadId = await threadIdOf(raw);
  const messageId = String(said.id);

  if (change === undefined) {
    const press = await buttons.pressed(threadId, wordsOf(delivery));
    if (press === undefined) {
      const message = messageOf(raw, threadId);
      return (options) => chat.processMessage(adapter, threadId, message, options);
    }
    if (!(await noteOnce(`press:${messageId}`))) return nothing;
    const event = { ...actionOf(press), triggerId: messageId, threadId, raw };
    const user = authorOf(said.sender, { ownId, isBot: false });
    return (options) => chat.processAction({ ...event, adapter, user }, options);
  }
  switch (delivery.trigger) {
    case 'reaction': {
      const { reaction, by = said.sender } = change;
      if (reaction === undefined) return nothing;
      const event = {
        adapter,
        threadId,
        messageId,
        emoji: emojiValue(reaction),
        rawEmoji: reaction.emoji,
        added: !reaction.isRemoved,
        user: authorOf(by, { ownId, isBot: false }),
        message: messageOf(raw, threadId),
        raw: change,
      };
      return (options) => chat.processReaction(event, options);
    }
    case 'edit': {
      const { earlierContent } = change;
      const previousMessage =
        earlierContent === undefined
          ? undefined
          : messageOf({ ...said, content: earlierContent }, threadId);
      const event = {
        adapter,
        threadId,
        message: messageOf(raw, threadId),
        ...(previousMessage ? { previousMessage } : {}),
      };
      return (options) => chat.processMessageUpdated(event, options);
    }
    case 'delete': {
      const event = { adapter, threadId, messageId, channelId: channelIdOf(threadId), raw: change };
      return (options) => chat.processMessageDeleted(event, options);
    }
    default:
      return nothing;
  }
}

/** The text without mentions of the bot in front: some clients put one before that of the button. */
function wordsOf(delivery: Delivery): string {
  const { content, renderedContent } = delivery.message;
  const once = addressedText({ content, renderedContent }, delivery);
  return addressedText({ content: once, renderedContent: '' }, delivery);
}

const actionOf = ({ messageId, button: { actionId, value } }: Press) => ({
  messageId,
  actionId,
  ...(value === undefined ? {} : { value }),
});
