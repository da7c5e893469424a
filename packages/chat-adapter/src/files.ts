import { downloadFile, readAll, uploadLinks } from '@bellhop/bot/internals';
import { type ClientOptions, uploadFile } from '@bellhop/client/plain';
import { extractFiles, extractPostableAttachments, ValidationError } from '@chat-adapter/shared';
import type { AdapterPostableMessage, Attachment } from 'chat';

import { NAME } from './adapter-config.ts';
import { calling } from './adapter-error.ts';

/** The largest file that is downloaded, as in the adapters of the Chat SDK. */
const MAX_DOWNLOAD = 25 * 1024 * 1024;

/** The key under which an attachment keeps its path on the server. */
const PATH = 'path';

/** The files of the server that a text in Markdown links to. */
export const attachmentsIn = (content: string, options: ClientOptions): Attachment[] =>
  uploadLinks(content, options.url).map(({ name, url: path }) =>
    withDownload(
      { type: typeOf(path), name, url: options.url + path, fetchMetadata: { [PATH]: path } },
      options,
    ),
  );

/** The attachment with a function that downloads it, which a state cannot keep. */
export function withDownload(attachment: Attachment, options: ClientOptions): Attachment {
  const path = attachment.fetchMetadata?.[PATH];
  // Only uploads: the path may come from a state that others write to.
  const [link] = path === undefined ? [] : uploadLinks(`[](${path})`, undefined);
  if (link === undefined) return attachment;
  const fetchData = () =>
    calling('download a file', async () => {
      const { body } = await downloadFile(options, link.url);
      return Buffer.from(await readAll(body, attachment.name ?? link.name, MAX_DOWNLOAD));
    });
  return { ...attachment, fetchData };
}

/** Uploads the files of a message. Resolves with Markdown links to them. */
export async function uploadedLinks(
  message: AdapterPostableMessage,
  options: ClientOptions,
): Promise<string[]> {
  const files = extractFiles(message).map(
    ({ data, filename, mimeType }) =>
      new File([data as Uint8Array<ArrayBuffer>], filename, typeOption(mimeType)),
  );
  const links: string[] = [];
  for (const attachment of extractPostableAttachments(message)) {
    const file = await fileOf(attachment);
    if (file instanceof File) files.push(file);
    else links.push(file);
  }
  for (const file of files) {
    const { url, filename } = await calling('upload a file', () => uploadFile(options, file));
    links.push(markdownLink(filename, url));
  }
  return links;
}

/** The file of an attachment, or a link to where it is. Throws a ValidationError if it is nowhere. */
async function fileOf({
  data,
  fetchData,
  name,
  mimeType,
  url,
}: Attachment): Promise<File | string> {
  const content = data ?? (await fetchData?.());
  const title = name ?? url?.split('/').at(-1) ?? 'file';
  if (content !== undefined)
    return new File([content as Uint8Array<ArrayBuffer>], title, typeOption(mimeType));
  if (url !== undefined) return markdownLink(title, url);
  throw new ValidationError(NAME, `The attachment ${title} has no data and no url.`);
}

const typeOption = (type: string | undefined) => (type === undefined ? {} : { type });

const markdownLink = (name: string, url: string) => `[${name.replaceAll(/[[\]\n]/g, '_')}](${url})`;

const types: readonly (readonly [RegExp, Attachment['type']])[] = [
  [/\.(?:png|jpe?g|gif|webp|avif|heic|bmp|svg)$/i, 'image'],
  [/\.(?:mp4|webm|mov|m4v)$/i, 'video'],
  [/\.(?:mp3|wav|ogg|m4a|flac|aac)$/i, 'audio'],
];
const typeOf = (path: string): Attachment['type'] =>
  types.find(([ending]) => ending.test(path))?.[1] ?? 'file';
