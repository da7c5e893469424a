import { imageOf } from '../../images/images.fixture.ts';
import type { Person, TestChat } from '../../test-chat.fixture.ts';

const image = async (type: 'png' | 'jpeg' | 'gif' | 'webp' | 'avif') =>
  new File([new Uint8Array(await imageOf(type, 60, 40))], `a.${type}`, { type: `image/${type}` });

/** A small image of each type that may be an avatar. */
export const avatarImages = {
  png: await image('png'),
  jpeg: await image('jpeg'),
  gif: await image('gif'),
  webp: await image('webp'),
  avif: await image('avif'),
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
