import { BotError } from '../../bot-error.ts';
import type { DownloadFile } from '../../rest/attachments.ts';
import type { ChatRoom } from './chat-room.ts';

/** Adds a file of a user. Returns a link to it in Markdown. */
export function addFile({ files }: Pick<ChatRoom, 'files'>, file: File): string {
  const path = `/user_uploads/2/${files.size + 1}/${encodeURIComponent(file.name)}`;
  files.set(path, file);
  return `[${file.name}](${path})`;
}

/** Downloads files of a chat in memory. */
export const chatDownload =
  ({ files }: Pick<ChatRoom, 'files'>): DownloadFile =>
  async (path) => {
    const file = files.get(path);
    if (file === undefined) throw new BotError('api_rejected', `There is no file ${path}.`);
    const type = file.type === '' ? 'application/octet-stream' : file.type;
    return { type, size: file.size, body: file.stream() };
  };
