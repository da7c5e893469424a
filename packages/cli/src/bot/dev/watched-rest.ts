import type { Destination, Reply, Rest } from '@bellhop/bot';
import type { MessageId } from '@bellhop/protocol';

/** Called after each REST call of a bot. */
export interface RestWatcher {
  readonly posted: (
    message: Reply & { readonly id: MessageId; readonly place: Destination },
  ) => void;
  readonly edited: (id: MessageId, content: string) => void;
  readonly removed: (id: MessageId) => void;
  readonly reacted: (id: MessageId, emojiName: string) => void;
  readonly unreacted: (id: MessageId, emojiName: string) => void;
  readonly uploaded: (file: Awaited<ReturnType<Rest['upload']>>) => void;
}

/** Reports the REST calls of a bot to a watcher, except those through `client`. */
export function watchedRest(rest: Rest, watcher: RestWatcher): Rest {
  const watched: Rest = {
    get client() {
      return rest.client;
    },
    typing: (...about) => rest.typing(...about),
    user: (who) => rest.user(who),
    history: (...about) => rest.history(...about),
    attachments: (content) => rest.attachments(content),
    moveTopic: (...about) => rest.moveTopic(...about),
    async post(message, place, options) {
      const { id } = await rest.post(message, place, options);
      watcher.posted({
        ...(typeof message === 'string' ? { content: message } : message),
        id,
        place,
      });
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
      await rest.react(id, emojiName);
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
