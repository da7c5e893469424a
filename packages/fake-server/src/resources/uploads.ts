import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener } from 'node:http';
import { buffer } from 'node:stream/consumers';

import { ApiError } from '@bellhop/protocol';

import type { Account } from '../account.ts';
import type { Resource } from '../call.ts';
import type { StoredFile } from '../stored-file.ts';
import { mayRead } from '../stored-message.ts';
import type { World } from '../world.ts';

const MAX_BYTES = 25 * 1_048_576;

export const uploads: Resource<'uploads'> = {
  async create({ user, world, receive }) {
    return receive(async ({ name, type, content }) => {
      const path = `/user_uploads/1/${randomUUID()}/${encodeURIComponent(name)}`;
      const temporaryPath = `/user_uploads/temporary/${randomUUID()}/${encodeURIComponent(name)}`;
      world.files.push({ owner: user, path, temporaryPath, type, bytes: await buffer(content) });
      return { url: path, uri: path, filename: name };
    }, MAX_BYTES);
  },

  temporaryUrl({ params: { realm_id, token, filename }, user, world }) {
    const path = `/user_uploads/${realm_id}/${token}/${encodeURIComponent(filename)}`;
    const file = world.files.find((one) => one.path === path);
    if (!file || !maySee(world, file, user)) throw new ApiError('NOT_FOUND');
    return { url: file.temporaryPath };
  },
};

/** Whether a user has uploaded a file, or may read a message that links to it. */
const maySee = ({ messages }: World, { owner, path }: StoredFile, user: Account) =>
  owner === user ||
  messages.some((message) => message.content.includes(path) && mayRead(message, user.user_id));

/** Serves the files at their temporary paths, and everything else by another listener. */
export function withFiles(world: World, others: RequestListener): RequestListener {
  return (request, response) => {
    const file = temporaryFile(world, request);
    if (!file) return others(request, response);
    response.writeHead(200, { 'content-type': file.type, 'content-length': file.bytes.length });
    response.end(file.bytes);
  };
}

const temporaryFile = ({ files }: World, { url, method }: IncomingMessage) =>
  method === 'GET' ? files.find(({ temporaryPath }) => temporaryPath === url) : undefined;
