import { type Generated, sql } from 'kysely';
import { expect, test } from 'vitest';

import { isRolledBack } from './error-code.ts';
import { createTestDatabase } from './testing.fixture.ts';

interface Tables {
  item: { id: Generated<number>; name: string };
  counter: { id: number; last: number };
}

async function itemDatabase(maxConnections = 4) {
  const made = await createTestDatabase<Tables>({ maxConnections });
  const { kysely } = made.database;
  await sql`create table item (
    id bigint generated always as identity primary key, name text unique)`.execute(kysely);
  await sql`create table counter (id int primary key, last int)`.execute(kysely);
  await kysely.insertInto('counter').values({ id: 1, last: 0 }).execute();
  const names = async () => {
    const rows = await kysely.selectFrom('item').select('name').orderBy('id').execute();
    return rows.map((row) => row.name);
  };
  return { ...made, names };
}

test('transaction commits the writes of its work and returns the result', async () => {
  await using db = await itemDatabase();
  const id = await db.database.transaction(async (tx) => {
    const row = tx.insertInto('item').values({ name: 'a' }).returning('id');
    return (await row.executeTakeFirstOrThrow()).id;
  });
  expect([id, await db.names()]).toEqual([1, ['a']]);
});

test('transaction writes nothing if the work throws', async () => {
  await using db = await itemDatabase(1);
  const failing = db.database.transaction(async (tx) => {
    await tx.insertInto('item').values({ name: 'a' }).execute();
    throw new Error('changed my mind');
  });
  await expect(failing).rejects.toThrow('changed my mind');
  expect(await db.names()).toEqual([]);
});

test('transaction rejects with the error of a query that the work caught', async () => {
  await using db = await itemDatabase(1);
  const failing = db.database.transaction(async (tx) => {
    await tx.insertInto('item').values({ name: 'a' }).execute();
    await sql`select 1 / 0`.execute(tx).catch(() => {});
  });
  await expect(failing).rejects.toThrow('division by zero');
  expect(await db.names()).toEqual([]);
});

test('a query error that a savepoint rolled back does not fail the transaction', async () => {
  await using db = await itemDatabase(1);
  await db.database.transaction(async (tx) => {
    await sql`savepoint here`.execute(tx);
    await sql`select 1 / 0`.execute(tx).catch(() => {});
    await sql`rollback to here`.execute(tx);
    await tx.insertInto('item').values({ name: 'kept' }).execute();
  });
  expect(await db.names()).toEqual(['kept']);
});

test('tx.last runs queries in order after the work, and their rows are readable after it', async () => {
  await using db = await itemDatabase();
  const bumped = await db.database.transaction(async (tx) => {
    const last = tx.last(
      tx
        .updateTable('counter')
        .set({ last: sql`last + 1` })
        .returning('last')
        .where('id', '=', 1),
    );
    tx.last(sql`insert into item (name) select 'at ' || last from counter`.compile(tx));
    await tx.insertInto('item').values({ name: 'work' }).execute();
    expect(() => last.rows).toThrow('only after the commit');
    return last;
  });
  expect(bumped.rows).toEqual([{ last: 1 }]);
  expect(await db.names()).toEqual(['work', 'at 1']);
});

test('a transaction of a single tx.last query commits', async () => {
  await using db = await itemDatabase();
  await db.database.transaction(async (tx) => {
    tx.last(tx.insertInto('item').values({ name: 'only' }));
  });
  expect(await db.names()).toEqual(['only']);
});

test('a failed tx.last query rolls back, and transaction rejects with its error', async () => {
  await using db = await itemDatabase(1);
  const insert = (name: string) =>
    db.database.transaction(async (tx) => {
      await tx
        .insertInto('item')
        .values({ name: `${name} 1` })
        .execute();
      tx.last(tx.insertInto('item').values({ name }));
      tx.last(tx.insertInto('item').values({ name: `${name} 2` }));
    });
  await insert('a');
  for (let again = 0; again < 3; again += 1) {
    await expect(insert('a')).rejects.toMatchObject({ code: '23505' });
  }
  expect(await db.names()).toEqual(['a 1', 'a', 'a 2']);
});

test('a transaction accepts concurrent queries', async () => {
  await using db = await itemDatabase();
  await db.database.transaction((tx) =>
    Promise.all(['a', 'b', 'c'].map((name) => tx.insertInto('item').values({ name }).execute())),
  );
  expect(await db.names()).toEqual(['a', 'b', 'c']);
});

test('a query after the end of its transaction rejects', async () => {
  await using db = await itemDatabase(1);
  let late = () => Promise.resolve<unknown>(undefined);
  await db.database.transaction(async (tx) => {
    late = () => tx.insertInto('item').values({ name: 'late' }).execute();
    await tx.insertInto('item').values({ name: 'in time' }).execute();
  });
  await expect(late()).rejects.toThrow('has ended');
  expect(await db.names()).toEqual(['in time']);
});

test('afterCommit and notify run after a commit and not after a rollback', async () => {
  await using db = await itemDatabase();
  const heard: string[] = [];
  const done = new Promise<void>((resolve) => {
    void db.database.listen('items', (payload) => {
      heard.push(payload);
      resolve();
    });
  });
  await db.database.listen('other', () => {});
  const change = (fails: boolean) =>
    db.database.transaction(async (tx) => {
      tx.afterCommit(() => heard.push('committed'));
      tx.notify('items', fails ? 'never' : 'added');
      await tx.insertInto('item').values({ name: 'a' }).execute();
      if (fails) throw new Error('no');
    });
  await expect(change(true)).rejects.toThrow('no');
  await change(false);
  await done;
  expect(heard).toEqual(['committed', 'added']);
});

test('a serialization failure is retried as often as `retries` says', async () => {
  await using db = await itemDatabase();
  let runs = 0;
  const increment = (retries: number) =>
    db.database.transaction(
      async (tx) => {
        const counter = tx.selectFrom('counter').select('last').where('id', '=', 1);
        const { last } = await counter.executeTakeFirstOrThrow();
        runs += 1;
        const elsewhere = db.database.kysely.updateTable('counter').set({ last: last + 10 });
        if (runs === 1) await elsewhere.execute();
        await tx
          .updateTable('counter')
          .set({ last: last + 1 })
          .where('id', '=', 1)
          .execute();
      },
      { isolation: 'repeatable read', retries },
    );
  await expect(increment(0)).rejects.toMatchObject({ code: '40001' });
  runs = 0;
  await increment(2);
  expect(runs).toBe(2);
  expect(await db.database.kysely.selectFrom('counter').select('last').execute()).toEqual([
    { last: 21 },
  ]);
});

test('a lost connection fails its transaction and is replaced', async () => {
  await using db = await itemDatabase(1);
  const killed = db.database.transaction(async (tx) => {
    await tx.insertInto('item').values({ name: 'a' }).execute();
    await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx);
  });
  await expect(killed).rejects.toThrow();
  expect(await db.names()).toEqual([]);
});

test('onCommit is called after COMMIT and before the flush, and not after a rollback', async () => {
  await using db = await itemDatabase();
  const told: string[] = [];
  const adding = (name: string) =>
    db.database.transaction(
      async (tx) => {
        tx.last(tx.insertInto('item').values({ name }));
        tx.afterCommit(() => told.push(`${name} is on disk`));
        return Promise.resolve();
      },
      { groupFlush: true, onCommit: () => told.push(`${name} is committed`) },
    );
  await adding('a');
  await expect(adding('a')).rejects.toThrow('unique');
  expect(told).toEqual(['a is committed', 'a is on disk']);
});

test('isRolledBack is true only for errors of the database itself', async () => {
  await using db = await itemDatabase();
  const failing = (query: string, at: 'first' | 'last') =>
    db.database
      .transaction(async (tx) => {
        if (at === 'first') await sql.raw(query).execute(tx);
        else tx.last(sql.raw(query).compile(tx));
      })
      .then(
        () => undefined,
        (error: unknown) => error,
      );
  const lost = 'select pg_terminate_backend(pg_backend_pid())';
  for (const at of ['first', 'last'] as const) {
    expect(isRolledBack(await failing('select 1 / 0', at))).toBe(true);
    expect(isRolledBack(await failing(lost, at))).toBe(false);
  }
  expect(isRolledBack(undefined)).toBe(false);
  expect(isRolledBack(new Error('The committed rows may not be on disk'))).toBe(false);
});
