import type { Person, TestChat } from '../../test-chat.fixture.ts';

const image = (type: string, start: string) =>
  new File([Buffer.from(`${start}the rest`, 'latin1')], `a.${type}`, { type: `image/${type}` });

/** The start of an image of each type that may be an avatar, and further bytes. */
export const avatarImages = {
  png: image('png', '\x89PNG\r\n\x1a\n'),
  jpeg: image('jpeg', '\xff\xd8\xff\xe0'),
  gif: image('gif', 'GIF89a'),
  webp: image('webp', 'RIFF\x10\0\0\0WEBPVP8 '),
};

let bots = 0;

interface NewBot {
  readonly files: readonly File[];
  readonly full_name?: string;
}

/** Sends POST /bots as a multipart form with files beside the fields. */
export async function createWithFiles(
  { url }: Pick<TestChat, 'url'>,
  person: Person | null,
  { files, full_name = `Pictured ${++bots}` }: NewBot,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const form = new FormData();
  form.set('full_name', full_name);
  form.set('short_name', `pictured-${++bots}`);
  for (const [at, file] of files.entries()) form.set(`file-${at}`, file);
  const response = await fetch(`${url}/api/v1/bots`, {
    method: 'POST',
    body: form,
    headers: person ? { authorization: `Basic ${btoa(`${person.email}:${person.api_key}`)}` } : {},
  });
  return {
    status: response.status,
    body: (await response.json()) as Record<string, unknown>,
  };
}
