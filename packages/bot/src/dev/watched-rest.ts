import { ApiError, type MessageId } from '@bellhop/protocol';

import { BotError } from '../bot-error.ts';
import { type Reply, toReply } from '../reply.ts';
import type { Destination } from '../rest/place.ts';
import type { Posted, Rest, UploadedFile } from '../rest/rest.ts';

/** Told of what a bot has done by REST, once it is done. */
export interface RestWatcher {
  readonly posted: (
    message: Reply & { readonly id: MessageId; readonly place: Destination },
  ) => void;
  readonly edited: (id: MessageId, content: string) => void;
  readonly removed: (id: MessageId) => void;
  readonly reacted: (id: MessageId, emojiName: string) => void;
  readonly unreacted: (id: MessageId, emojiName: string) => void;
  readonly uploaded: (file: UploadedFile) => void;
}

/** The same REST side of a bot, watched. What goes through `client` is not seen. */
export function watchedRest(rest: Rest, watcher: RestWatcher): Rest {
  const watched: Rest = {
    get client() {
      return rest.client;
    },
    typing: (...about) => rest.typing(...about),
    user: (id) => rest.user(id),
    async post(place, message, options): Promise<Posted> {
      const { id } = await rest.post(place, message, options);
      watcher.posted({ ...(toReply(message) ?? { content: '' }), id, place });
      return {
        id,
        edit: (content, asking) => watched.edit(id, content, asking),
        remove: () => watched.remove(id),
        react: (emojiName) => watched.react(id, emojiName),
      };
    },
    async edit(id, content, options) {
      await rest.edit(id, content, options);
      watcher.edited(id, content);
    },
    async remove(id) {
      await rest.remove(id);
      watcher.removed(id);
    },
    async react(id, emojiName) {
      await rest.react(id, emojiName).catch((error: unknown) => {
        // A message that is given to the bot again has it already.
        if (!isThere(error)) throw error;
      });
      watcher.reacted(id, emojiName);
    },
    async unreact(id, emojiName) {
      await rest.unreact(id, emojiName);
      watcher.unreacted(id, emojiName);
    },
    async upload(file, options) {
      const uploaded = await rest.upload(file, options);
      watcher.uploaded(uploaded);
      return uploaded;
    },
  };
  return watched;
}

const isThere = (error: unknown) =>
  error instanceof BotError &&
  error.cause instanceof ApiError &&
  error.cause.code === 'REACTION_ALREADY_EXISTS';
