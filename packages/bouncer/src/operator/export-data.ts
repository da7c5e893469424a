import type { Kysely } from 'kysely';

import { recordAction } from '../audit/audit-log.ts';
import { tokenIdText } from '../storage/device-name.ts';
import type { BouncerTables } from '../storage/tables.ts';
import { listDevices } from './devices.ts';
import { type Operator, OperatorError, signatureOf } from './operator.ts';
import { queuedPushes } from './queued-pushes.ts';
import { setValues } from './quota-states.ts';
import { showServer } from './servers.ts';

type Db = Kysely<BouncerTables>;
/** A line of an export. */
type ExportedRecord = { readonly type: string } & Readonly<Record<string, unknown>>;

/** How many rows one answer has at least, unless it is the last one. */
const PAGE = 1_000;

interface Asked {
  /** ID or host name of the server. */
  readonly subject: string;
  /** Only this realm of it. */
  readonly realmUuid?: string | undefined;
  /** `next` of the page before. */
  readonly after?: string | undefined;
}

/**
 * Everything that is stored about a server, or about one of its realms, page by page: facts, realms, devices,
 * outcomes and traces of notifications, waiting and given-up notifications, the audit log. Without
 * secrets: no keys, and of tokens only hashes. Throws an OperatorError for an unknown server or
 * realm.
 */
export async function exportPage(
  operator: Operator,
  { subject, realmUuid, after }: Asked,
): Promise<{ readonly records: ExportedRecord[]; readonly next: string | null }> {
  const { kysely } = operator.database;
  const { server, realms, quotas } = await showServer(kysely, subject);
  const { server_uuid: serverUuid } = server;
  const chosen = realms.filter(({ realm_uuid }) => realm_uuid === (realmUuid ?? realm_uuid));
  if (realmUuid !== undefined && chosen.length === 0)
    throw new OperatorError(`The chat server ${subject} has no realm ${realmUuid}.`);
  const records: ExportedRecord[] = [];
  if (after === undefined) {
    const ofRealm = realmUuid === undefined ? {} : { realmUuid };
    const signed = { ...signatureOf(operator), serverUuid, ...ofRealm };
    await recordAction(kysely, { ...signed, action: 'data_exported' });
    if (realmUuid === undefined)
      records.push({ type: 'server', ...server }, { type: 'quotas', ...setValues(quotas) });
    records.push(...chosen.map((realm) => ({ type: 'realm', ...realm })));
  }
  const parts = [
    ...chosen.flatMap(({ realm_uuid }) =>
      Object.keys(partsOfRealm).map((name) => `${name} ${realm_uuid}`),
    ),
    'audit',
  ];
  const place = after === undefined ? [parts[0] ?? '', ''] : after.split('/');
  let at = parts.indexOf(place[0] ?? '');
  let last = place[1] ?? '';
  if (at < 0 || !isKeyOf(parts[at]?.split(' ')[0], last))
    throw new OperatorError(`"${after}" is no place in this export: begin it again.`);
  while (at < parts.length && records.length < PAGE) {
    const [name = '', realm = ''] = parts[at]?.split(' ') ?? [];
    const read = partsOfRealm[name];
    const page = read
      ? await read(kysely, realm, last)
      : await auditOf(kysely, { serverUuid, realmUuid }, last);
    records.push(...page.map(({ record }) => record));
    const isFull = page.length === PAGE;
    last = isFull ? (page.at(-1)?.key ?? '') : '';
    if (!isFull) at++;
  }
  return { records, next: at < parts.length ? `${parts[at]}/${last}` : null };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const isKeyOf = (part: string | undefined, key: string): boolean =>
  key === '' || (part === 'outcomes' ? UUID : /^\d{1,15}$/).test(key);

/** A row, and what follows it in its part. */
interface Row {
  readonly record: ExportedRecord;
  readonly key: string;
}

/** Reads rows of a realm behind one with this key; '' reads the first ones. */
const partsOfRealm: Readonly<
  Record<string, (db: Db, realmUuid: string, after: string) => Promise<Row[]>>
> = {
  async devices(db, realmUuid, after) {
    const page = await listDevices(db, { realmUuid, after: Number(after), limit: PAGE });
    return page.map((device) => ({
      record: { type: 'device', ...device },
      key: String(device.device_id),
    }));
  },
  async outcomes(db, realmUuid, after) {
    const page = await db
      .selectFrom('push_outcome')
      .selectAll()
      .where('realm_uuid', '=', realmUuid)
      .where('push_id', '>', after === '' ? '00000000-0000-0000-0000-000000000000' : after)
      .orderBy('push_id')
      .limit(PAGE)
      .execute();
    return page.map(({ token_id, ...row }) => ({
      record: { type: 'outcome', ...row, token_id: tokenIdText(token_id) },
      key: row.push_id,
    }));
  },
  async traces(db, realmUuid, after) {
    const page = await db
      .selectFrom('push_trace')
      .selectAll()
      .where('realm_uuid', '=', realmUuid)
      .where('number', '>', Number(after))
      .orderBy('number')
      .limit(PAGE)
      .execute();
    return page.map(({ entry, ...row }) => ({
      record: { type: 'trace', ...row, ...entry },
      key: String(row.number),
    }));
  },
  waiting: (db, realmUuid, after) => queueOf(db, { state: 'waiting', realmUuid }, after),
  ended: (db, realmUuid, after) => queueOf(db, { state: 'ended', realmUuid }, after),
};

/** Without their content, which only the phone can read. */
async function queueOf(
  db: Db,
  filter: { readonly state: 'waiting' | 'ended'; readonly realmUuid: string },
  after: string,
): Promise<Row[]> {
  const offset = Number(after);
  const page = await queuedPushes(db, { ...filter, limit: PAGE, offset });
  return page.map((push, index) => ({
    record: { type: 'queued', ...push },
    key: String(offset + index + 1),
  }));
}

async function auditOf(
  db: Db,
  {
    serverUuid,
    realmUuid,
  }: { readonly serverUuid: string; readonly realmUuid?: string | undefined },
  after: string,
): Promise<Row[]> {
  const page = await db
    .selectFrom('audit_entry')
    .selectAll()
    .where('server_uuid', '=', serverUuid)
    .$if(realmUuid !== undefined, (query) => query.where('realm_uuid', '=', realmUuid ?? ''))
    .where('number', '>', Number(after))
    .orderBy('number')
    .limit(PAGE)
    .execute();
  return page.map((row) => ({ record: { type: 'audit', ...row }, key: String(row.number) }));
}
