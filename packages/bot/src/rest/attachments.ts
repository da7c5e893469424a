import { BotError } from '../bot-error.ts';

/** A file on the chat server that a message links to. */
export interface Attachment {
  /** The text of the link, or the last part of the path. */
  readonly name: string;
  /** The path on the server: `/user_uploads/...`. */
  readonly url: string;
  /** The media type that the server gives, `application/octet-stream` if it gives none. */
  readonly type: string;
  /** Bytes; undefined if the server does not say. */
  readonly size: number | undefined;
  /** Downloads the file as a stream. */
  readonly stream: () => Promise<ReadableStream<Uint8Array>>;
  /** Downloads the whole file; rejects if it has more than `maxBytes`, by default 10 MiB. */
  readonly bytes: (options?: { readonly maxBytes?: number }) => Promise<Uint8Array>;
}

/** A file that is being downloaded. */
export interface Download {
  readonly type: string;
  readonly size: number | undefined;
  readonly body: ReadableStream<Uint8Array>;
}

/** Downloads a file by its path on the server. */
export type DownloadFile = (path: string) => Promise<Download>;

/** How many files of one message are looked at. */
const MAX_ATTACHMENTS = 20;
const MAX_BYTES = 10 * 1024 * 1024;

/** The files of the server that a text in Markdown links to, each once, at most 20. */
export async function attachmentsOf(
  content: string,
  { siteUrl, download }: { readonly siteUrl: string | undefined; readonly download: DownloadFile },
): Promise<readonly Attachment[]> {
  const links = uploadLinks(content, siteUrl).slice(0, MAX_ATTACHMENTS);
  return Promise.all(
    links.map(async ({ name, url }) => {
      const { type, size, body } = await download(url);
      await body.cancel();
      const stream = async () => (await download(url)).body;
      return {
        name,
        url,
        type,
        size,
        stream,
        bytes: async ({ maxBytes = MAX_BYTES } = {}) => readAll(await stream(), name, maxBytes),
      };
    }),
  );
}

/** Whether it leads to an upload, whatever parts such as `..` and `%2e%2e` it has. */
const isUploadPath = (path: string) =>
  path.startsWith('/user_uploads/') &&
  URL.parse(path, 'http://localhost')?.pathname.startsWith('/user_uploads/') === true;

/** The links to uploads of the server at `siteUrl`: relative, or with its address in front. */
export function uploadLinks(content: string, siteUrl: string | undefined) {
  const links = new Map<string, { readonly name: string; readonly url: string }>();
  for (const [, name = '', target = ''] of content.matchAll(/\[([^\]\n]*)\]\(([^)\s]+)\)/g)) {
    const site = siteUrl?.replace(/\/$/, '') ?? '';
    const url = site !== '' && target.startsWith(`${site}/`) ? target.slice(site.length) : target;
    if (!isUploadPath(url) || links.has(url)) continue;
    links.set(url, { name: name || (url.split('/').at(-1) ?? ''), url });
  }
  return [...links.values()];
}

/** Reads a download. Throws BotError `api_rejected`, and cancels it, if it has more than `maxBytes`. */
export async function readAll(
  body: ReadableStream<Uint8Array>,
  name: string,
  maxBytes: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    // Leaving the loop cancels the download.
    if (size > maxBytes)
      throw new BotError('api_rejected', `The file ${name} has more than ${maxBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
