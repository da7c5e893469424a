import { createRest, type Delivery, type QueueListener } from '@bellhop/bot/internals';
import { type Client, isUnknownRoute } from '@bellhop/client/plain';
import { ValidationError } from '@chat-adapter/shared';
import {
  type Adapter,
  type AdapterPostableMessage,
  type Attachment,
  type ChannelInfo,
  type ChannelVisibility,
  type ChatInstance,
  ConsoleLogger,
  type EmojiValue,
  type FetchOptions,
  type FetchResult,
  type FormattedContent,
  type ListThreadsOptions,
  type ListThreadsResult,
  type Logger,
  type Message,
  NotImplementedError,
  type RawMessage,
  type ScheduledMessage,
  type StreamChunk,
  type StreamOptions,
  type ThreadInfo,
  type UserInfo,
  type WebhookOptions,
} from 'chat';

import { type BellhopAdapterConfig, NAME, readConfig } from './adapter-config.ts';
import { AdapterParts } from './adapter-parts.ts';
import { cardButtons } from './card-buttons.ts';
import { emojiName } from './emoji.ts';
import { pollEvents } from './event-poll.ts';
import { withDownload } from './files.ts';
import { messagePoster } from './message-poster.ts';
import { messageReader } from './message-reader.ts';
import { type Handle, prepareDelivery } from './prepare-delivery.ts';
import type { BellhopRawMessage } from './raw-message.ts';
import { webhookReceiver } from './receive-webhook.ts';
import { serverCalls } from './server-calls.ts';
import {
  type BellhopThreadId,
  channelIdOf,
  decodeThreadId,
  encodeThreadId,
  isDirect,
  numericId,
} from './thread-id.ts';
import { topicSubscriptions } from './topic-subscriptions.ts';

/** Short rate limits are waited out; longer ones are thrown, with the time to wait. */
const RETRY = { retries: 3, maxWaitMs: 5000 };
/** A repeat of a delivery comes within minutes. */
const NOTED_MS = 60 * 60 * 1000;

/** Runs bots of the Chat SDK on a server of the protocol. */
export class BellhopAdapter implements Adapter<BellhopThreadId, BellhopRawMessage> {
  readonly name = NAME;
  /** The client of the whole API, for what the Chat SDK has no methods for. */
  readonly client: Client;
  readonly #parts: AdapterParts;
  readonly #poster: ReturnType<typeof messagePoster>;
  readonly #reader: ReturnType<typeof messageReader>;
  readonly #subscriptions: ReturnType<typeof topicSubscriptions>;
  readonly #receive: ReturnType<typeof webhookReceiver> | undefined;
  #logger: Logger;
  #listener: QueueListener | undefined;

  /** Throws a ValidationError that names all options that are missing or wrong. */
  constructor(given: BellhopAdapterConfig = {}) {
    const config = readConfig(given);
    const { url, email, apiKey, timeoutMs, fetch } = config;
    const login = { url, email, apiKey, timeoutMs, ...(fetch ? { fetch } : {}) };
    const options = { ...login, userAgent: 'BellhopChatAdapter/0.1', retryPolicy: RETRY };
    const rest = createRest(options);
    this.client = rest.client;
    this.#logger = config.logger ?? new ConsoleLogger('info').child(NAME);
    this.#parts = new AdapterParts({ config, options, calls: serverCalls(rest.client) });
    this.#poster = messagePoster(this.#parts, rest);
    this.#reader = messageReader(this.#parts, rest);
    this.#subscriptions = topicSubscriptions(rest.client, () => this.#logger);
    if (config.tokens.length > 0) this.#receive = webhookReceiver(config, () => this.#logger);
  }

  get userName(): string {
    const { config, login } = this.#parts;
    return config.userName ?? login?.me.fullName ?? config.email;
  }

  /** Empty before `initialize`. */
  get botUserId(): string {
    const { login } = this.#parts;
    return login ? String(login.me.id) : '';
  }

  /**
   * Logs the bot in; with `polling`, begins to receive. Throws an AuthenticationError for a wrong login and
   * a NetworkError if the server does not answer.
   */
  async initialize(chat: ChatInstance): Promise<void> {
    const { config, calls } = this.#parts;
    this.#logger = config.logger ?? chat.getLogger(NAME);
    const { user_id: id, email, full_name: fullName } = await calls.me();
    const buttons = cardButtons(chat.getState());
    this.#parts.login = { chat, me: { id, email, fullName }, buttons };
    if (config.mode === 'webhook') return this.#requestChanges();
    this.#listener ??= await pollEvents(this.#parts, this.#logger, async (delivery) => {
      const handle = await this.#prepared(delivery);
      // The Chat logs what handlers throw.
      await handle()?.catch(() => undefined);
    });
  }

  /** Ends the polling. Resolves when the handlers of the messages received so far have ended. */
  async disconnect(): Promise<void> {
    const listener = this.#listener;
    this.#listener = undefined;
    await listener?.stop();
  }

  /** Answers an outgoing webhook, before the handlers have ended. Refuses requests without the token. */
  async handleWebhook(request: Request, options?: WebhookOptions): Promise<Response> {
    if (this.#receive === undefined)
      throw new ValidationError(NAME, 'Give `token` (BOT_TOKEN) to receive outgoing webhooks.');
    return this.#receive(request, async (delivery) => {
      const handle = await this.#prepared(delivery);
      if (delivery.trigger === 'follow_up') await this.#keepListening(delivery);
      // Not awaited: the Chat logs what handlers throw, and hands their work to `waitUntil`.
      void handle(options)?.catch(() => undefined);
    });
  }

  #prepared(delivery: Delivery): Promise<Handle> {
    const parts = this.#parts;
    const { chat, buttons, me } = parts.session;
    return prepareDelivery(
      {
        adapter: this,
        chat,
        buttons,
        ownId: me.id,
        threadIdOf: (raw) => parts.threadIdOf(parts.placeOfRaw(raw)),
        messageOf: (raw, threadId) => parts.message(raw, threadId),
        noteOnce: (id) => chat.getState().setIfNotExists(`${NAME}:noted:${id}`, true, NOTED_MS),
      },
      delivery,
    );
  }

  async #requestChanges(): Promise<void> {
    try {
      await this.#parts.calls.requestChanges();
    } catch (error) {
      const why =
        error instanceof Error && isUnknownRoute(error.cause)
          ? 'this chat server does not send them to webhooks. With mode: "polling" the bot gets them.'
          : String(error);
      this.#logger.warn(`The bot gets no reactions, edits and deletions: ${why}`);
    }
  }

  /** Renews the subscription to a topic that the Chat listens to, and ends the one to another. */
  async #keepListening({ message }: Delivery): Promise<void> {
    const parts = this.#parts;
    const place = parts.placeOfRaw(message);
    try {
      const threadId = await parts.threadIdOf(place);
      if (await parts.session.chat.getState().isSubscribed(threadId))
        await this.#subscriptions.renew(threadId, place);
      else await this.#subscriptions.leave(place);
    } catch (error) {
      this.#logger.warn('The subscription to a topic could not be changed', error);
    }
  }

  /** Lets the webhook of the bot get the messages of a thread without a mention. */
  async onThreadSubscribe(threadId: string): Promise<void> {
    if (this.#parts.config.mode === 'webhook')
      await this.#subscriptions.subscribe(decodeThreadId(threadId));
  }

  postMessage(
    threadId: string,
    message: AdapterPostableMessage,
  ): Promise<RawMessage<BellhopRawMessage>> {
    return this.#poster.post(threadId, message);
  }

  /** Posts to the topic that the option `channelTopic` names. */
  postChannelMessage(
    channelId: string,
    message: AdapterPostableMessage,
  ): Promise<RawMessage<BellhopRawMessage>> {
    return this.#poster.post(channelId, message);
  }

  /** Changes the content; buttons go. Throws a NotImplementedError for a card with buttons. */
  editMessage(
    threadId: string,
    messageId: string,
    message: AdapterPostableMessage,
  ): Promise<RawMessage<BellhopRawMessage>> {
    return this.#poster.edit(threadId, messageId, message);
  }

  deleteMessage(threadId: string, messageId: string): Promise<void> {
    return this.#poster.remove(threadId, messageId);
  }

  /**
   * Posts a text while it is being produced: one message, edited at most twice a second and more slowly at
   * the rate limit, continued in another where it is too long. Titles of tasks are shown below it meanwhile.
   */
  stream(
    threadId: string,
    textStream: AsyncIterable<string | StreamChunk>,
    options?: StreamOptions,
  ): Promise<RawMessage<BellhopRawMessage>> {
    return this.#poster.stream(threadId, textStream, options);
  }

  scheduleMessage(
    threadId: string,
    message: AdapterPostableMessage,
    { postAt }: { readonly postAt: Date },
  ): Promise<ScheduledMessage<BellhopRawMessage>> {
    return this.#poster.schedule(threadId, message, postAt);
  }

  addReaction(_threadId: string, messageId: string, emoji: EmojiValue | string): Promise<void> {
    return this.#parts.calls.react(messageId, emojiName(emoji));
  }

  removeReaction(_threadId: string, messageId: string, emoji: EmojiValue | string): Promise<void> {
    return this.#parts.calls.unreact(messageId, emojiName(emoji));
  }

  /** Clients show it for some 15 seconds, without the text of the status. */
  startTyping(threadId: string): Promise<void> {
    return this.#parts.calls.typing(this.#parts.placeOf(threadId), 'start');
  }

  endTyping(threadId: string): Promise<void> {
    return this.#parts.calls.typing(this.#parts.placeOf(threadId), 'stop');
  }

  markAsRead(_threadId: string, messageId: string): Promise<void> {
    return this.#parts.calls.markRead(messageId);
  }

  async openModal(): Promise<never> {
    throw new NotImplementedError(
      'This server has no forms: ask in messages, or by a card with buttons.',
      'modals',
    );
  }

  fetchMessages(threadId: string, options?: FetchOptions): Promise<FetchResult<BellhopRawMessage>> {
    return this.#reader.messages(threadId, options);
  }

  /** The messages of all topics of a channel. */
  fetchChannelMessages(
    channelId: string,
    options?: FetchOptions,
  ): Promise<FetchResult<BellhopRawMessage>> {
    return this.#reader.channelMessages(channelId, options);
  }

  /** Null if there is no such message that the bot may read. */
  fetchMessage(threadId: string, messageId: string): Promise<Message<BellhopRawMessage> | null> {
    return this.#reader.message(threadId, messageId);
  }

  fetchThread(threadId: string): Promise<ThreadInfo> {
    return this.#reader.thread(threadId);
  }

  fetchChannelInfo(channelId: string): Promise<ChannelInfo> {
    return this.#reader.channel(channelId);
  }

  /** The topics of a channel, the newest first, at most 20 at a time. */
  listThreads(
    channelId: string,
    options?: ListThreadsOptions,
  ): Promise<ListThreadsResult<BellhopRawMessage>> {
    return this.#reader.threads(channelId, options);
  }

  /** Null if there is no such user that the bot may see. */
  getUser(userId: string): Promise<UserInfo | null> {
    return this.#reader.user(userId);
  }

  async openDM(userId: string): Promise<string> {
    return encodeThreadId({ userIds: [numericId(userId, 'user')] });
  }

  isDM(threadId: string): boolean {
    return isDirect(threadId);
  }

  getChannelVisibility(threadId: string): ChannelVisibility {
    return isDirect(threadId) ? 'private' : 'unknown';
  }

  /** Throws a ValidationError for a topic of more than 60 characters. */
  encodeThreadId(thread: BellhopThreadId): string {
    return encodeThreadId(thread);
  }

  decodeThreadId(threadId: string): BellhopThreadId {
    return decodeThreadId(threadId);
  }

  channelIdFromThreadId(threadId: string): string {
    return channelIdOf(threadId);
  }

  parseMessage(raw: BellhopRawMessage): Message<BellhopRawMessage> {
    return this.#parts.message(raw, encodeThreadId(this.#parts.placeOfRaw(raw)));
  }

  renderFormatted(content: FormattedContent): string {
    return this.#parts.converter.fromAst(content);
  }

  rehydrateAttachment(attachment: Attachment): Attachment {
    return withDownload(attachment, this.#parts.options);
  }
}
