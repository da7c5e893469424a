import type { Person, TestChat } from '../../test-chat.fixture.ts';

/** Uploads a file and returns its address. */
export async function upload(
  { client }: Pick<Person, 'client'>,
  content: string | Uint8Array<ArrayBuffer> = 'hello',
  name = 'notes.txt',
): Promise<string> {
  const { url } = await client.uploads.create({}, { file: new File([content], name) });
  return url;
}

/** The value of the `Authorization` header. */
export const basic = ({ email, api_key }: Pick<Person, 'email' | 'api_key'>) =>
  `Basic ${btoa(`${email}:${api_key}`)}`;

/** Requests a file at its address, with or without a login. */
export const download = (
  chat: Pick<TestChat, 'url'>,
  person: Pick<Person, 'email' | 'api_key'> | null,
  url: string,
  headers: Record<string, string> = {},
): Promise<Response> =>
  fetch(`${chat.url}${url}`, {
    headers: { ...(person ? { authorization: basic(person) } : {}), ...headers },
  });

/** Posts a body unchanged to POST /user_uploads. */
export function post(
  chat: Pick<TestChat, 'url'>,
  person: Pick<Person, 'email' | 'api_key'> | null,
  init: RequestInit,
): Promise<Response> {
  const headers = new Headers(init.headers);
  if (person) headers.set('authorization', basic(person));
  return fetch(`${chat.url}/api/v1/user_uploads`, { method: 'POST', ...init, headers });
}

/** The number of files and chunks in the database. */
export async function storedCounts({
  server,
}: TestChat): Promise<{ files: number; chunks: number }> {
  const { kysely } = server.app.db;
  const files = await kysely.selectFrom('upload').select('id').execute();
  const chunks = await kysely.selectFrom('upload_chunk').select('number').execute();
  return { files: files.length, chunks: chunks.length };
}
