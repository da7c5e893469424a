import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createClient } from '@bellhop/client';
import { roles } from '@bellhop/protocol';
import { expect, test } from 'vitest';

import { startProgram } from './support/program.ts';

const ready = /Ctrl-C/;

async function start(dataDir: string) {
  const env = { BELLHOP_PORT: '0', BELLHOP_DATA_DIR: dataDir };
  const program = await startProgram(['sandbox'], { env, ready });
  const file = JSON.parse(await readFile(join(dataDir, 'sandbox.json'), 'utf8'));
  const clientOf = (role: number) => {
    const { email, api_key } = file.users.find((one: { role: number }) => one.role === role);
    return createClient({ url: file.base_url, email, apiKey: api_key });
  };
  return { program, max: clientOf(roles.member), mona: clientOf(roles.moderator) };
}

test('an event queue has every event after SIGKILL between a message and the poll', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'bellhop-kill-'));
  try {
    const before = await start(dataDir);
    const { queue_id, last_event_id } = await before.mona.queues.register({
      event_types: ['message'],
    });
    if (queue_id === null) throw new Error('no queue');
    const sent: number[] = [];
    for (const topic of ['one', 'two', 'three']) {
      const { id } = await before.max.messages.send({
        type: 'channel',
        to: 'general',
        topic,
        content: topic,
      });
      sent.push(id);
    }
    await before.program.signal('SIGKILL');

    const after = await start(dataDir);
    await using _stopped = after.program;
    const { events } = await after.mona.queues.events({ queue_id, last_event_id });
    expect(events).toMatchObject(sent.map((id) => ({ type: 'message', message: { id } })));
    const last = events.at(-1)?.id ?? 0;
    const poll = after.mona.queues.events({ queue_id, last_event_id: last });
    const { id } = await after.max.messages.send({
      type: 'channel',
      to: 'general',
      topic: 'four',
      content: 'four',
    });
    expect((await poll).events).toMatchObject([{ message: { id } }]);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}, 60_000);
