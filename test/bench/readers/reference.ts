/**
 * A child process: a minimal server whose messages are read by polls. It commits each message with one
 * row per reader in one statement, then passes it on from memory.
 */
import { createServer, type ServerResponse } from 'node:http';

import { Pool } from 'pg';

import { serveReference } from '../serve-reference.ts';

const pool = new Pool({ connectionString: process.env['DATABASE_URL'], max: 16 });
const readers: number[] = JSON.parse(process.env['BENCH_READERS'] ?? '[]');
await pool.query(
  `create table message (
     id bigint generated always as identity primary key, recipient text, topic text, content text);
   create table received (user_id bigint, message_id bigint, primary key (user_id, message_id))`,
);

/** The messages in the order of their commits, as JSON. The ID of an event is its place in the list. */
const events: string[] = [];
const waiting = new Set<() => void>();

async function answer(body: string, response: ServerResponse): Promise<void> {
  const id = await store(new URLSearchParams(body));
  send(response, JSON.stringify({ result: 'success', msg: '', id }));
}

async function store(form: URLSearchParams): Promise<number> {
  const { rows } = await pool.query(
    `with sent as (
       insert into message (recipient, topic, content) values ($1, $2, $3) returning id
     ), received as (
       insert into received select reader, sent.id from sent, unnest($4::bigint[]) reader
     ) select id from sent`,
    [form.get('to'), form.get('topic'), form.get('content'), readers],
  );
  const id = Number(rows[0].id);
  const message = { id, topic: form.get('topic'), content: form.get('content') };
  events.push(JSON.stringify({ type: 'message', message, id: events.length + 1 }));
  for (const respond of waiting) respond();
  return id;
}

function send(response: ServerResponse, text: string): void {
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
  response.writeHead(200, headers).end(text);
}

function poll(last: number, response: ServerResponse): void {
  const respond = () => {
    waiting.delete(respond);
    send(response, `{"events":[${events.slice(last).join(',')}]}`);
  };
  if (events.length > last) respond();
  else waiting.add(respond);
}

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    const { searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
    poll(Number(searchParams.get('last_event_id')), response);
    return;
  }
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => void answer(Buffer.concat(chunks).toString(), response));
});
serveReference(server);
