import { endpoint } from '@bellhop/protocol';
import { z } from 'zod';

import { type AskOptions, type ClientOptions, createClientFor } from './ask.ts';

export interface Uploaded {
  /** The path of the file on the server: `/user_uploads/...`. */
  readonly url: string;
  readonly filename: string;
}

const uploads = {
  create: endpoint('POST /user_uploads', {
    summary: 'Upload a file',
    access: 'user',
    params: { file: z.instanceof(Blob) },
    result: {
      url: z.string().optional(),
      uri: z.string().optional(),
      filename: z.string().optional(),
    },
  }),
};

/** Uploads a file, as multipart. Throws as every call does: ApiError, ConnectionFailed. */
export async function uploadFile(
  options: ClientOptions,
  file: File,
  callOptions: AskOptions = {},
): Promise<Uploaded> {
  const answer = await createClientFor({ uploads }, options).uploads.create({ file }, callOptions);
  // Servers below feature level 272 return `uri` and no file name.
  return { url: answer.url ?? answer.uri ?? '', filename: answer.filename ?? file.name };
}
