import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chown, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

import { type Client, createClient } from '@bellhop/client';
import { freePorts } from '@bellhop/http/testing';
import { describe, expect, test } from 'vitest';

import { until } from '../cluster/database-cluster.ts';
import { guideFile } from '../cluster/guide-file.ts';
import { supervise } from '../cluster/process.ts';
import { pageText } from '../docs/examples-in.ts';
import { hasDebian, PASSWORD, startDebian } from '../support/debian-postgres.ts';
import { runProgram, startProgram } from '../support/program.ts';

const PGBOUNCER = '/usr/sbin/pgbouncer';
const secrets = {
  BELLHOP_SECRET: 'a secret for tests, and for tests only',
  BELLHOP_EXTERNAL_URL: 'http://127.0.0.1:4600',
  BELLHOP_PORT: '0',
  BELLHOP_RATE_LIMIT_USER: '100000/60',
};

async function startServer(DATABASE_URL: string, folder: string) {
  const program = await startProgram(['server', '--owner', 'ada@chat.test'], {
    ready: /"msg":"listening"/,
    env: { ...secrets, DATABASE_URL, BELLHOP_MAIL_OUTBOX: join(folder, 'outbox') },
  });
  const url = /"url":"([^"]+)","msg":"listening"/.exec(program.output())?.[1] ?? '';
  const apiKey = /API key (\w+)/.exec(program.output())?.[1];
  return { program, url, apiKey };
}

const send = (ada: Client, content: string) =>
  ada.messages.send({ type: 'direct', to: ['ada@chat.test'], content });
const contents = async (ada: Client) => {
  const { messages } = await ada.messages.fetch({
    anchor: 'newest',
    num_before: 5000,
    num_after: 0,
    apply_markdown: false,
    narrow: [{ operator: 'is', operand: 'dm' }],
  });
  return messages.map(({ content }) => content);
};

/** A section of the page, with the places of this machine. Throws if it lacks one of them. */
function section(title: string, fillings: readonly (readonly [string, string])[]): string {
  const [, text = ''] =
    new RegExp(`^## ${title}$([^]*?)^## `, 'm').exec(pageText('docs/self-hosting/cluster.md')) ??
    [];
  return fillings.reduce((done, [from, to]) => {
    if (!done.includes(from)) throw new Error(`the section ${title} lacks ${from}`);
    return done.replaceAll(from, to);
  }, text);
}
const blocks = (text: string) =>
  [...text.matchAll(/^```bash\n([^]*?)^```$/gm)].map(([, block = '']) => block);

describe('docs/self-hosting/cluster.md', () => {
  test('its commands archive the log and go back to a moment between two messages', async ({
    skip,
  }) => {
    skip(!hasDebian, 'postgresql-15 of Debian is not installed');
    await using stack = new AsyncDisposableStack();
    const backup = await mkdtemp(join(tmpdir(), 'docs-cluster-backup-'));
    stack.defer(() => rm(backup, { recursive: true, force: true }));
    const [, command = ''] =
      /--pg 'archive_command=(.*)'$/m.exec(section('Backups', [['/backup/', `${backup}/`]])) ?? [];
    const db = await startDebian(stack, ['archive_mode = on', `archive_command = '${command}'`]);
    for (const folder of [backup, join(backup, 'wal'), join(backup, 'base')]) {
      await mkdir(folder, { recursive: true });
      if (db.user) await chown(folder, db.user.uid, db.user.gid);
    }
    const before = await startServer(db.url, db.folder);
    const { apiKey = '' } = before;
    const ada = createClient({ url: before.url, email: 'ada@chat.test', apiKey });
    await send(ada, 'before the backup');
    const places = [
      ['/backup/', `${backup}/`],
      ['10.0.0.10', '127.0.0.1'],
      ['$(date +%F)', '2026-11-28'],
    ] as const;
    const [, takeBase = ''] = blocks(section('Backups', places));
    await db.bash(takeBase);
    await send(ada, 'before the moment');
    // The moment, by the clock of the database.
    await sleep(1500);
    const moment = (await db.bash('psql -Atc "select now()"')).trim();
    await sleep(1500);
    const lost = await send(ada, 'after the moment');
    expect(await before.program.signal('SIGTERM')).toBe(0);
    await db.pgCtl('-m fast stop');

    const [, , goBack = ''] = blocks(
      section('Backups', [
        ...places,
        ['/var/lib/postgresql/15/chat', db.dataDir],
        ['2026-11-28 14:05:00+00', moment],
        ['/tmp/restore.log', join(db.folder, 'restore.log')],
      ]),
    );
    const said = await db.bash(goBack);
    expect(said).toContain('not here: systemctl start patroni');
    expect(await readFile(join(db.folder, 'restore.log'), 'utf8')).toMatch(
      /recovery stopping before commit of transaction/,
    );
    const settings = await readFile(join(db.dataDir, 'postgresql.auto.conf'), 'utf8');
    expect(settings).not.toMatch(/recovery|restore/);
    expect((await stat(`${db.dataDir}.former`)).isDirectory()).toBe(true);

    await db.pgCtl('start');
    const after = await startServer(db.url, db.folder);
    stack.use(after.program);
    const again = createClient({ url: after.url, email: 'ada@chat.test', apiKey });
    expect(await contents(again)).toEqual(['before the backup', 'before the moment']);
    expect((await send(again, 'a new one')).id).toBeGreaterThan(lost.id + 1_000_000);
    expect(after.program.output()).toContain('"cause":"promoted"');
  });

  test('its command of the archive keeps what is there: the same again passes, another one fails', async ({
    skip,
  }) => {
    skip(!hasDebian, 'postgresql-15 of Debian is not installed');
    await using stack = new AsyncDisposableStack();
    const folder = await mkdtemp(join(tmpdir(), 'docs-archive-'));
    stack.defer(() => rm(folder, { recursive: true }));
    await mkdir(join(folder, 'wal'));
    const [, command = ''] =
      /--pg 'archive_command=(.*)'$/m.exec(section('Backups', [['/backup/', `${folder}/`]])) ?? [];
    const archive = async (content: string) => {
      await writeFile(join(folder, 'segment'), content);
      const typed = command.replaceAll('%p', join(folder, 'segment')).replaceAll('%f', '0001');
      return promisify(execFile)('sh', ['-c', typed]).then(
        () => 'archived',
        () => 'failed',
      );
    };
    expect(await archive('one')).toBe('archived');
    expect(await archive('one')).toBe('archived');
    expect(await archive('another')).toBe('failed');
    expect(await readFile(join(folder, 'wal', '0001'), 'utf8')).toBe('one');
  });

  test('a server works through PgBouncer with its file while PostgreSQL crashes, and refuses its transaction mode', async ({
    skip,
  }) => {
    skip(!hasDebian || !existsSync(PGBOUNCER), 'pgbouncer of Debian is not installed');
    await using stack = new AsyncDisposableStack();
    const db = await startDebian(stack);
    const [pooled = 0, shared = 0] = await freePorts(2);
    const pool = async (port: number, mode: string) => {
      const users = join(db.folder, 'userlist.txt');
      await writeFile(users, `"chat" "${PASSWORD}"\n`);
      const file = join(db.folder, `pgbouncer-${mode}.ini`);
      const text = await guideFile('pgbouncer.ini', [
        ['host=10.0.0.10 port=5432', `host=127.0.0.1 port=${db.port}`],
        ['listen_addr = 10.0.0.10', 'listen_addr = 127.0.0.1'],
        ['listen_port = 6432', `listen_port = ${port}\nunix_socket_dir =`],
        ['/etc/pgbouncer/userlist.txt', users],
        ['pool_mode = session', `pool_mode = ${mode}`],
      ]);
      await writeFile(file, text);
      const log = join(db.folder, `pgbouncer-${mode}.log`);
      stack.use(supervise({ command: PGBOUNCER, args: [file], log, user: db.user }));
      await until(10_000, 'PgBouncer leads to the database', async () => {
        await db.bash(`PGUSER=chat psql -p ${port} -Atc 'select 1' chat`);
      });
      return db.urlAt(port);
    };
    const pooledUrl = await pool(pooled, 'session');
    const { program, url, apiKey = '' } = await startServer(pooledUrl, db.folder);
    stack.use(program);
    const ada = createClient({ url, email: 'ada@chat.test', apiKey });
    const { queue_id } = await ada.queues.register({ event_types: ['message'] });
    const polled = ada.queues.events({ queue_id: queue_id ?? '', last_event_id: -1 });
    await send(ada, 'seen by a poll that waits');
    expect((await polled).events).toMatchObject([
      { message: { content: 'seen by a poll that waits' } },
    ]);
    const acknowledged: string[] = ['seen by a poll that waits'];
    let isOver = false;
    const load = (async () => {
      for (let n = 0; !isOver; n += 1) {
        await send(ada, `message ${n}`).then(
          () => acknowledged.push(`message ${n}`),
          () => sleep(50),
        );
      }
    })();
    const sent = (count: number) =>
      until(40_000, `${count} messages were acknowledged`, async () => {
        if (acknowledged.length < count) throw new Error(`${acknowledged.length}`);
      });
    await sent(10);
    await db.pgCtl('-m immediate restart');
    await sent(acknowledged.length + 20);
    isOver = true;
    await load;
    const there = await contents(ada);
    expect(acknowledged.filter((content) => !there.includes(content))).toEqual([]);
    expect(new Set(there).size).toBe(there.length);
    const doctor = await runProgram(['server', 'doctor'], { ...secrets, DATABASE_URL: pooledUrl });
    expect(doctor.output).toContain('ok    database: tables: are those of this version');
    expect(await program.signal('SIGTERM')).toBe(0);

    const refused = await runProgram(['server'], {
      ...secrets,
      DATABASE_URL: await pool(shared, 'transaction'),
    });
    expect(refused.code).toBe(1);
    expect(refused.output).toMatch(/session mode/);
  });
});
