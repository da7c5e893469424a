/**
 * A child process: a minimal server that stores messages. It parses the form, commits the message with
 * its HTML, one row per reader and the event for their queues in one statement, and responds. If the
 * message mentions the bot, it then calls the webhook and commits the reply in the same way.
 */
import { createServer, type ServerResponse } from 'node:http';

import { Pool } from 'pg';

import { serveReference } from '../serve-reference.ts';

const { DATABASE_URL: connectionString, WEBHOOK_URL: webhook = '' } = process.env;
const mention = process.env['BOT_MENTION'] ?? '';
/** The ids of the subscribers, by the name of their channel. */
const subscribers: Record<string, number[]> = JSON.parse(process.env['BENCH_SUBSCRIBERS'] ?? '{}');
const pool = new Pool({ connectionString, max: 16 });
await pool.query(
  `create table message (
     id bigint generated always as identity primary key, recipient text, topic text, content text,
     rendered_content text);
   create table received (
     user_id bigint, message_id bigint, flags integer, primary key (user_id, message_id));
   create table event (
     id bigint generated always as identity primary key, payload json, audience bigint[])`,
);

/** The subscribers of a channel, or the people of a direct message without their sender. */
const readersOf = (recipient: string): number[] =>
  subscribers[recipient] ?? (JSON.parse(recipient) as number[]);

async function store(recipient: string, topic: string, content: string): Promise<number> {
  // Stands for the HTML, of about the same length.
  const rendered_content = `<p>${content}</p>`;
  const message = { recipient, topic, content, rendered_content };
  const { rows } = await pool.query(
    `with sent as (
       insert into message (recipient, topic, content, rendered_content) values ($1, $2, $3, $4)
       returning id
     ), received as (
       insert into received select reader, sent.id, 0 from sent, unnest($5::bigint[]) reader
     ), logged as (
       insert into event (payload, audience) values ($6, $5::bigint[])
     ) select id from sent`,
    [
      recipient,
      topic,
      content,
      rendered_content,
      readersOf(recipient),
      JSON.stringify({ type: 'message', message }),
    ],
  );
  return Number(rows[0].id);
}

async function callWebhook(id: number, form: URLSearchParams): Promise<void> {
  const body = JSON.stringify({ message: { id, content: form.get('content') } });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(webhook, { method: 'POST', headers, body });
  const { content } = (await response.json()) as { content: string };
  await store(form.get('to') ?? '', form.get('topic') ?? '', content);
}

async function answer(body: string, response: ServerResponse): Promise<void> {
  const form = new URLSearchParams(body);
  const content = form.get('content') ?? '';
  const id = await store(form.get('to') ?? '', form.get('topic') ?? '', content);
  const text = JSON.stringify({ result: 'success', msg: '', id });
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
  response.writeHead(200, headers).end(text);
  if (content.includes(mention)) await callWebhook(id, form);
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => void answer(Buffer.concat(chunks).toString(), response));
});
serveReference(server);
