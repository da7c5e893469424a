import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { Pool } from 'pg';

// The least that can be called storing a message: parse a form, one INSERT that commits, answer.
const pool = new Pool({ connectionString: process.env['DATABASE_URL'], max: 16 });
await pool.query(
  'create table bench_message (id bigint generated always as identity primary key, topic text, content text)',
);
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const form = new URLSearchParams(Buffer.concat(chunks).toString());
    pool
      .query('insert into bench_message (topic, content) values ($1, $2) returning id', [
        form.get('topic'),
        form.get('content'),
      ])
      .then(
        ({ rows }) => {
          response.setHeader('content-type', 'application/json');
          response.end(JSON.stringify({ result: 'success', msg: '', id: rows[0].id }));
        },
        (error: unknown) => response.writeHead(500).end(String(error)),
      );
  });
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  console.log(JSON.stringify({ url: `http://127.0.0.1:${port}`, authorization: '' }));
});
