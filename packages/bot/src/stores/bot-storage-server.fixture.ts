import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { serverStore } from './server-store.ts';

type BotStorage = Parameters<typeof serverStore>[0];

/** Serves `/bot_storage` of a chat server on loopback; `api` is a client for it. */
export async function startBotStorage() {
  const entries = new Map<string, string>();
  const requests: string[] = [];

  const server = createServer((request, response) => {
    void (async () => {
      requests.push(request.method ?? '');
      const url = new URL(request.url ?? '', 'http://localhost');
      const body = new URLSearchParams(await new Response(request).text());
      const given = url.searchParams.get('keys') ?? body.get('keys');
      const keys: string[] = given === null ? [...entries.keys()] : JSON.parse(given);
      const missing = keys.some((key) => !entries.has(key));
      if (request.method === 'PUT') {
        const storage: Record<string, string> = JSON.parse(body.get('storage') ?? '{}');
        for (const key of Object.keys(storage)) entries.set(key, storage[key] ?? '');
      } else if (missing) {
        response.statusCode = 400;
        response.end('{"result":"error","code":"BAD_REQUEST","msg":"Key does not exist."}');
        return;
      }
      if (request.method === 'DELETE') for (const key of keys) entries.delete(key);
      const storage = Object.fromEntries(keys.map((key) => [key, entries.get(key)]));
      response.end(JSON.stringify({ result: 'success', msg: '', storage }));
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/bot_storage`;

  async function call(method: string, params: Readonly<Record<string, unknown>>) {
    const fields = new URLSearchParams();
    for (const [name, value] of Object.entries(params)) fields.set(name, JSON.stringify(value));
    const target = method === 'GET' ? `${url}?${fields.toString()}` : url;
    const response = await fetch(target, method === 'GET' ? {} : { method, body: fields });
    const result = (await response.json()) as {
      readonly code?: string;
      readonly msg: string;
      readonly storage: Record<string, string>;
    };
    if (!response.ok) throw Object.assign(new Error(result.msg), { code: result.code });
    return result.storage;
  }
  const api: BotStorage = {
    get: (keys) => call('GET', keys === undefined ? {} : { keys }),
    put: (storage) => call('PUT', { storage }),
    remove: (keys) => call('DELETE', { keys }),
  };

  return {
    api,
    entries,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
