import { type AskOptions, callerOf, type ClientOptions } from './ask.ts';
import { callablePlain } from './plain-client.ts';

export interface UploadedFile {
  /** The path of the file on the server: `/user_uploads/...`. */
  readonly url: string;
  readonly filename: string;
}

interface Answer {
  readonly url?: string;
  readonly uri?: string;
  readonly filename?: string;
}

/** The endpoint with the results of all servers, which the contract does not have. */
const create = callablePlain({
  route: 'POST /user_uploads',
  body: 'form',
  redirects: false,
  forms: { file: 'json' },
  result: {
    object: {
      url: { optional: 'string' },
      uri: { optional: 'string' },
      filename: { optional: 'string' },
    },
  },
});

/** Uploads a file, as multipart. Throws as every call does: ApiError, ConnectionFailed. */
export async function uploadFile(
  options: ClientOptions,
  file: File,
  callOptions: AskOptions = {},
): Promise<UploadedFile> {
  const answer: Answer = await callerOf(create, options)({ file }, callOptions);
  // Servers below feature level 272 return `uri` and no file name.
  return { url: answer.url ?? answer.uri ?? '', filename: answer.filename ?? file.name };
}
