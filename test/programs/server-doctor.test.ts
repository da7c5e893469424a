import { join } from 'node:path';

import { freePorts } from '@bellhop/http/testing';
import { expect, test } from 'vitest';

import { until } from '../cluster/database-cluster.ts';
import { hasDebian, startDebian } from '../support/debian-postgres.ts';
import { runProgram } from '../support/program.ts';

test('bellhop server doctor says what the standbys of a PostgreSQL promise', async ({ skip }) => {
  skip(!hasDebian, 'postgresql-15 of Debian is not installed');
  await using stack = new AsyncDisposableStack();
  const db = await startDebian(stack, ['max_connections = 15']);
  const [port = 0] = await freePorts(1);
  const env = {
    BELLHOP_SECRET: 'a secret for tests, and for tests only',
    BELLHOP_EXTERNAL_URL: 'http://127.0.0.1:4600',
    BELLHOP_PORT: '0',
    DATABASE_URL: db.url,
  };
  const doctor = async () => (await runProgram(['server', 'doctor'], env)).output;
  const alone = await doctor();
  expect(alone).toContain('ok    database: standbys: none: the backup is what survives');
  expect(alone).toMatch(
    /WARN {2}database: connections: it takes 12, and a program keeps up to 18\n {6}Raise max_connections/,
  );

  const standby = join(db.folder, 'standby');
  const pgCtl = (words: string) =>
    db.bash(`sudo -u postgres pg_ctl -D ${standby} -l ${db.folder}/standby.log -w ${words}`);
  await db.bash(`sudo -u postgres pg_basebackup -U replicator -D ${standby} --checkpoint=fast \\
  --dbname="application_name=second password=$PGPASSWORD" --write-recovery-conf
echo 'port = ${port}' >> ${standby}/postgresql.conf`);
  await pgCtl('start');
  stack.defer(async () => {
    await pgCtl('-m immediate stop').catch(() => '');
  });
  const streams = (state: string) =>
    until(20_000, `the standby is ${state}`, async () => {
      const found = await db.bash('psql -Atc "select sync_state from pg_stat_replication"');
      if (found.trim() !== state) throw new Error(found);
    });
  await streams('async');
  expect(await doctor()).toContain(
    'ok    database: standbys: one, asynchronous: a failover may lose the last acknowledged changes',
  );

  await db.bash(
    `psql -qc "alter system set synchronous_standby_names = 'second'" -c 'select pg_reload_conf()'`,
  );
  await streams('sync');
  expect(await doctor()).toMatch(
    /ok {4}database: standbys: one; for the role to see .* grant pg_monitor/,
  );
  await db.bash("psql -qc 'grant pg_monitor to chat'");
  expect(await doctor()).toContain(
    'ok    database: standbys: one, 1 synchronous: a failover to it loses nothing',
  );
  await db.bash("psql -qc 'alter role chat set synchronous_commit = local'");
  expect(await doctor()).toMatch(
    /WARN {2}database: standbys: one, and no commit waits for it: synchronous_commit is local\n {6}Set/,
  );
  await db.bash("psql -qc 'alter role chat set synchronous_commit = off'");
  expect(await doctor()).toMatch(/WARN {2}database: disk: fsync and synchronous_commit are off/);
  await db.bash("psql -qc 'alter role chat reset synchronous_commit'");
  await pgCtl('-m fast stop');
  await streams('');
  expect(await doctor()).toMatch(
    /FAIL {2}database: .*it acknowledged no commit for 10 s: the standby that synchronous_standby_names wants/,
  );
  // A start waits for it, and says so.
  const server = await runProgram(['server'], { ...env, BELLHOP_DATABASE_WAIT: '1' });
  expect(server.output).toContain('it acknowledged no commit');
  expect(server.output).toContain('The start waited for 1 s (BELLHOP_DATABASE_WAIT).');
  expect(server.code).toBe(1);
}, 120_000);
