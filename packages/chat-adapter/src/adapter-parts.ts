import type { Person } from '@bellhop/bot';
import type { ClientOptions } from '@bellhop/client/plain';
import { ValidationError } from '@chat-adapter/shared';
import type { ChatInstance, Message } from 'chat';

import { type CheckedConfig, NAME } from './adapter-config.ts';
import type { CardButtons } from './card-buttons.ts';
import { BellhopFormatConverter } from './format-converter.ts';
import type { BellhopRawMessage } from './raw-message.ts';
import type { ServerCalls } from './server-calls.ts';
import { type BellhopThreadId, channelOf, decodeThreadId } from './thread-id.ts';
import { placeOf, toMessage } from './to-message.ts';
import { threadIdIn } from './topic-spelling.ts';

/** What an adapter has once it is logged in. */
export interface Session {
  readonly chat: ChatInstance;
  /** The bot. */
  readonly me: Person;
  readonly buttons: CardButtons;
}

interface PartsOptions {
  readonly config: CheckedConfig;
  readonly options: ClientOptions & { readonly email: string };
  readonly calls: ServerCalls;
}

/** What reading, posting and receiving share. */
export class AdapterParts {
  readonly config: CheckedConfig;
  readonly options: PartsOptions['options'];
  readonly calls: ServerCalls;
  readonly converter = new BellhopFormatConverter();
  /** Undefined before `initialize`. */
  login: Session | undefined;

  constructor({ config, options, calls }: PartsOptions) {
    this.config = config;
    this.options = options;
    this.calls = calls;
  }

  /** Throws a ValidationError before `initialize`. */
  get session(): Session {
    if (this.login) return this.login;
    throw new ValidationError(NAME, 'The adapter is not initialized: await chat.initialize().');
  }

  /** The place of a thread, or of a channel: its topic for messages that belong to no thread. */
  placeOf(id: string): BellhopThreadId {
    const channelId = channelOf(id);
    if (channelId === undefined) return decodeThreadId(id);
    return { channelId, topic: this.config.channelTopic };
  }

  /** The place of a message. */
  placeOfRaw(raw: BellhopRawMessage): BellhopThreadId {
    return placeOf(raw, this.login?.me.id);
  }

  /** The ID under which the Chat knows a thread. */
  threadIdOf(thread: BellhopThreadId): Promise<string> {
    return threadIdIn(this.session.chat.getState(), thread);
  }

  message(raw: BellhopRawMessage, threadId: string): Message<BellhopRawMessage> {
    const { converter, options } = this;
    return toMessage(raw, threadId, { converter, options, ownId: this.login?.me.id });
  }
}
