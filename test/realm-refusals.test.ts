import { expect, test } from 'vitest';

import { refusals } from './support/realm-refusals.ts';

const schema = {
  placedBy: new Map([
    ['item', 'realm_id'],
    ['part', 'realm_id'],
  ]),
  columns: new Map([
    ['item', new Set(['realm_id', 'id', 'name', 'at'])],
    ['part', new Set(['realm_id', 'item_id', 'id'])],
    ['job', new Set(['id'])],
  ]),
  functions: new Map(
    (
      [
        ['lower', 'immutable'],
        ['count', 'immutable'],
        ['unnest', 'immutable'],
        ['now', 'stable'],
        ['random', 'volatile'],
      ] as const
    ).map(([name, volatility]) => [name, { volatility, folds: name === 'count', touches: false }]),
  ),
};
const at = (text: string) => refusals(text, schema);

test.each([
  'select * from item where realm_id = $1',
  'select * from item i join part p on p.realm_id = i.realm_id and p.item_id = i.id where i.realm_id = $1',
  'select * from item i left join part p on p.realm_id = i.realm_id where i.realm_id = $1::bigint',
  'select * from item i where i.realm_id = $1 and not exists (select from part p where p.realm_id = i.realm_id and p.item_id = i.id)',
  'select i.* from (select * from item where name = $2) i where i.realm_id = $1',
  'select (select count(*) from part where realm_id = $1 and item_id = i.id) from item i where realm_id = $1',
  'insert into item (realm_id, name) values ($1, now()), ($1, $2)',
  'insert into item (name, realm_id) select name, realm_id from item where realm_id = $1',
  'with a as (update item set name = $2 where realm_id = $1 returning id), b as (insert into part (realm_id, item_id) select $1, id from a) select',
  'update item set at = now() where (realm_id, id) = ($1, $2)',
  'select id from job',
])('a statement of one given realm is accepted: %s', (text) => {
  expect(at(text)).toEqual([]);
});

test.each([
  ['select * from item', 'item is in no given realm'],
  ['select * from item where realm_id = any($1)', 'item is in no given realm'],
  ['select * from item where realm_id = $1 or name = $2', 'item is in no given realm'],
  [
    'select * from unnest($1) k (realm_id) join item i on i.realm_id = k.realm_id',
    'item i is in no given realm',
  ],
  [
    'select * from item i left join part p on p.realm_id = i.realm_id and p.realm_id = $1',
    'item i is in no given realm',
  ],
  [
    'select * from item i left join lateral (select * from part p where p.realm_id = $1 and i.realm_id = $1) q on true',
    'item i is in no given realm',
  ],
  [
    'select * from item i where not exists (select from part p where p.realm_id = $1 and p.realm_id = i.realm_id)',
    'item i is in no given realm',
  ],
  [
    'select (select count(*) from part p where p.realm_id = i.realm_id) from item i where i.realm_id = $1',
    'part p is in no given realm',
  ],
  [
    'select * from item i cross join lateral (select * from part p where p.realm_id = i.realm_id limit 1) p where i.realm_id = $1',
    'part p is in no given realm',
  ],
  [
    'with a as (select realm_id from item where realm_id = $1) select * from a join part p on p.realm_id = a.realm_id',
    'part p is in no given realm',
  ],
  ['insert into item (name) values ($1)', 'item is in no given realm'],
  [
    'insert into item (realm_id, name) values ($1, (select name from item where realm_id = $1 limit 1))',
    'a subquery among the values of an insert',
  ],
  [
    'with a as (delete from part where realm_id = $1 returning id) insert into item (realm_id, name) select $1, id from a',
    'a change in the WITH clause of an insert: both belong in that of a SELECT',
  ],
  [
    'update item set name = random() where realm_id = $1',
    'a change calls random, which is volatile',
  ],
  [
    "delete from item where realm_id = $1 and at + interval '1 day' < now()",
    'a stable function of a column in a change',
  ],
  [
    'insert into item (realm_id, id) values ($1, $2) on conflict (realm_id, id) do update set at = now()',
    'ON CONFLICT has a function that is not immutable',
  ],
  ['select * from item i, job j where i.realm_id = $1', 'job is no table of a realm'],
])('%s: %s', (text, reason) => {
  expect(at(text)).toContain(reason);
});
