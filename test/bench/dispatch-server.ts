/** A bot, or the least that answers like one: the child process of the dispatch benchmark. */
import { timingSafeEqual } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

import { createBot } from '@bellhop/bot';
import { listener } from '@bellhop/bot/node';
import express from 'express';

import { email, token } from './dispatch-payload.ts';

interface Delivery {
  readonly token: string;
  readonly message: { readonly content: string };
}

const secret = Buffer.from(token);
const genuine = (given: string) =>
  given.length === secret.length && timingSafeEqual(Buffer.from(given), secret);
const answerTo = ({ message }: Delivery) => ({ content: `Deployed ${message.content.length}` });

const bot = createBot({ email, token }).command('deploy', (ctx) => {
  return `Deployed ${ctx.message.content.length}`;
});

const bare: RequestListener = (request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const delivery: Delivery = JSON.parse(Buffer.concat(chunks).toString());
    const known = genuine(delivery.token);
    const body = JSON.stringify(known ? answerTo(delivery) : {});
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    };
    response.writeHead(known ? 200 : 401, headers).end(body);
  });
};

const bareExpress: RequestListener = express()
  .use(express.json())
  .post('/', (request, response) => {
    const delivery: Delivery = request.body;
    if (genuine(delivery.token)) response.json(answerTo(delivery));
    else response.status(401).json({});
  });

const apps: Record<string, RequestListener> = {
  bellhop: listener([bot]),
  'node:http': bare,
  Express: bareExpress,
};

const app = apps[process.argv[2] ?? ''];
if (app === undefined) throw new Error(`Give one of ${Object.keys(apps).join(', ')}`);
const server = createServer(app).listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  console.log(`http://127.0.0.1:${port}/`);
});
process.on('message', () => process.send?.(process.cpuUsage()));
process.on('disconnect', () => process.exit());
