import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterEach, expect, test } from 'vitest';

import { Deviation } from './check.ts';
import { send } from './send.ts';
import { SimulatorControl } from './simulator-control.ts';

let stop: () => unknown = () => undefined;
afterEach(() => stop());

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  stop = () => server.close();
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const answers = (type: string, encoding: BufferEncoding) =>
  serve((_request, response) =>
    response
      .writeHead(200, { 'content-type': type, connection: 'close' })
      .end(Buffer.from('{"result":"success","msg":"é"}', encoding)),
  );

test('an answer is read in the charset that it declares', async () => {
  const url = await answers('application/json; charset=iso-8859-1', 'latin1');
  expect((await send(url, { timeoutMs: 5_000 })).body).toEqual({ result: 'success', msg: 'é' });
});

test.each([
  ['application/json', 'latin1', /not valid UTF-8/],
  ['application/json; charset=klingon', 'utf8', /charset klingon/],
] as const)('an answer of the type %s in %s deviates', async (type, encoding, message) => {
  const url = await answers(type, encoding);
  const asked = send(url, { timeoutMs: 5_000 });
  await expect(asked).rejects.toThrow(Deviation);
  await expect(asked).rejects.toThrow(message);
});

test('a simulator whose answer cannot be read stops the check, which says why', async () => {
  const url = await answers('application/json', 'latin1');
  const control = new SimulatorControl({ control_url: url, control_token: 'x' });
  await expect(control.addDevice('fcm')).rejects.toThrow(/its answer is not valid UTF-8/);
});
