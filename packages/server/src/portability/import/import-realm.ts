import { join } from 'node:path';

import type { Database } from '@bellhop/postgres';
import { MAX_REALM_NAME_LENGTH, type RealmId } from '@bellhop/protocol';
import { sql } from 'kysely';

import type { Tx } from '../../engine/call.ts';
import type { Secrets } from '../../engine/secrets.ts';
import type { Tables } from '../../engine/tables.ts';
import { createImages } from '../../images/images.ts';
import * as realms from '../../model/realms/queries.ts';
import { realmUrl } from '../../model/realms/realm-url.ts';
import { requireSecret } from '../../model/users/require-secret.ts';
import { createRealm } from '../../resources/realms/create-realm.ts';
import { reactivateRealm } from '../../resources/realms/deactivate-realm.ts';
import { cutOf } from '../form-fields.ts';
import { formFiles, PortabilityError, type ReportProgress } from '../form.ts';
import { inBatches, readTables } from '../json-file.ts';
import { checkForm, digestOf, findMessageFiles } from './check-export.ts';
import { checkFiles } from './import-files.ts';
import type { Importing } from './importing.ts';
import { insertRows, newIds } from './insert-rows.ts';
import { NUMBERING, type Place, type Step, steps } from './steps.ts';

export interface ImportRequest {
  readonly db: Database<Tables>;
  readonly secrets: Secrets;
  /** The URL of the server. */
  readonly externalUrl: string;
  /** The folder of the export. */
  readonly folder: string;
  /** Of the organization that is made; '' for the default one. */
  readonly subdomain: string;
  /** The URL that the organization had; links below it become links within the new one. */
  readonly formerUrl?: string;
  /** Takes an export of a public server whose version is not known. */
  readonly anyVersion?: boolean;
  /** Bytes; larger files are refused. */
  readonly maxFileBytes: number;
  readonly progress: ReportProgress;
  /** Stops between two pieces; the same call continues. */
  readonly signal?: AbortSignal;
}

export interface ImportResult {
  readonly realm: RealmId;
  /** What was brought and what was left out: numbers by name. */
  readonly counts: Readonly<Record<string, number>>;
}

/** Records of realm.json that are in memory at a time. */
const BATCH = 1000;

/**
 * Makes an organization of an export. It can be used when all is there: until then it is deactivated. Each
 * piece is one transaction, which also notes that it is done, so an import that was interrupted continues
 * where it was when the same export is imported into the same subdomain. Nothing of the export is in memory as a whole.
 *
 * Nobody has a password afterwards, and everybody a new API key. Throws a PortabilityError for an export
 * that cannot be imported, before anything is written, and a WrongSecretError for another secret than that of
 * the database.
 */
export async function importRealm(request: ImportRequest): Promise<ImportResult> {
  const { db, folder, progress } = request;
  await requireSecret(db.kysely, request.secrets);
  const url = realmUrl(request.externalUrl, request.subdomain);
  if (!URL.canParse(url))
    throw new PortabilityError(
      `Nobody could reach ${url}: for an organization with a subdomain, BELLHOP_EXTERNAL_URL needs a host name.`,
    );
  const manifest = await checkForm(request);
  const messageFiles = await findMessageFiles(folder);
  const files = await checkFiles(request);
  progress({ what: 'files checked', done: files });
  const { realm, step, part } = await begin(request, await digestOf(folder, messageFiles));
  const images = createImages();
  const importing: Importing = {
    ...request,
    realm,
    messageFiles,
    manifest,
    formerUrl: request.formerUrl ?? manifest?.url,
    images,
    now: Math.floor(Date.now() / 1000),
    signal: request.signal,
    tables: (names) => inBatches(readTables(join(folder, formFiles.realm), new Set(names)), BATCH),
    newIds: (on, kind, former) => newIds(on, realm, kind, former),
  };
  try {
    for (let at = step; at < steps.length; at += 1) {
      const { what, run } = steps[at] as Step;
      await run(importing, place(importing, { what, step: at, part: at === step ? part : 0 }));
      await db.transaction((tx) => moveTo(tx, realm, { step: at + 1, part: 0 }));
    }
  } finally {
    images.stop();
  }
  return { realm, counts: await finish(importing) };
}

const work = { work: 'sweep' } as const;

function place(
  { db, realm, progress, signal }: Importing,
  { what, step, part }: { what: string; step: number; part: number },
): Place {
  let at = 0;
  let done = part;
  return {
    async next(run) {
      at += 1;
      if (at <= part && what !== NUMBERING) return;
      signal?.throwIfAborted();
      await db
        .transaction(async (tx) => {
          const counts = new Map<string, number>();
          const count = (name: string, number: number) =>
            void counts.set(name, (counts.get(name) ?? 0) + number);
          await run({
            tx,
            count,
            insert: async (name, target, rows) => {
              const inserted = await insertRows(tx, realm, target, rows);
              count(name, inserted);
              if (inserted < rows.length) count(`${name} left out`, rows.length - inserted);
            },
          });
          await moveTo(tx, realm, { step, part: done + 1, counts });
        }, work)
        .catch(asPortabilityError);
      done += 1;
      progress({ what, done });
    },
  };
}

/** What two things of an export cannot have in common, by the index that says so. */
const taken: Readonly<Record<string, string>> = {
  realm_user_email: 'two people or bots of the export have the same e-mail address',
  channel_name: 'two channels of the export have the same name',
  channel_folder_name: 'two channel folders of the export have the same name',
  user_group_name: 'two user groups of the export have the same name',
  custom_profile_field_name: 'two profile fields of the export have the same name',
  realm_emoji_name: 'two emoji of the export have the same name',
};

/** Rethrows an error of the database that a record of the export caused as one that tells which. */
function asPortabilityError(error: unknown): never {
  const { code, constraint, message } = error as Partial<Record<string, unknown>>;
  const fault = typeof constraint === 'string' ? taken[constraint] : undefined;
  if (code === '23505' && fault !== undefined)
    throw new PortabilityError(
      `It cannot be imported: ${fault}. Change one of them in realm.json.`,
    );
  // Class 22: a value that its column cannot have.
  if (typeof code === 'string' && code.startsWith('22'))
    throw new PortabilityError(`A value of the export is not possible here: ${String(message)}.`);
  throw error;
}

interface Moved {
  readonly step: number;
  readonly part: number;
  readonly counts?: ReadonlyMap<string, number>;
}

/** Notes what is done, in the transaction that did it. */
async function moveTo(tx: Tx, realm: RealmId, { step, part, counts }: Moved): Promise<void> {
  const added = JSON.stringify(Object.fromEntries(counts ?? []));
  await sql`update realm_import i set step = ${step}, part = ${part}, counts = i.counts || coalesce((
      select jsonb_object_agg(n.key, n.value::bigint + coalesce((i.counts ->> n.key)::bigint, 0))
      from jsonb_each_text(${added}::jsonb) n), '{}')
    where i.realm_id = ${realm}`.execute(tx);
}

/** Makes the organization, or finds the one in which the same import was interrupted. */
async function begin(
  { db, folder, subdomain, secrets, externalUrl }: ImportRequest,
  source: string,
): Promise<{ realm: RealmId; step: number; part: number }> {
  const there = await realms.idOf(db.kysely, subdomain);
  const known =
    there &&
    (await db.kysely
      .selectFrom('realm as r')
      .leftJoin('realm_import as i', 'i.realm_id', 'r.id')
      .select(['r.id', 'r.name', 'i.source', 'i.step', 'i.part'])
      .where('r.id', '=', there)
      .executeTakeFirst());
  if (known) {
    if (known.source === null)
      throw new PortabilityError(
        `The organization "${known.name}" has the subdomain "${subdomain}" already. Name another one with --subdomain.`,
      );
    if (known.source !== source)
      throw new PortabilityError(
        `Another export is being imported into "${subdomain}". Finish that import with its own export, or name another subdomain.`,
      );
    return { realm: known.id, step: known.step ?? 0, part: known.part ?? 0 };
  }
  let name: string | undefined;
  const found = readTables(join(folder, formFiles.realm), new Set(['zerver_realm']));
  for await (const { record } of found)
    name ??= cutOf(record, 'name', MAX_REALM_NAME_LENGTH).trim();
  if (name === undefined)
    throw new PortabilityError(
      `${formFiles.realm} has no organization (zerver_realm): this is no export in a form that is known.`,
    );
  const realmName = name || subdomain || 'Imported';
  const { hostname } = new URL(externalUrl);
  const realm = await db.transaction(async (tx) => {
    const id = await createRealm(
      tx,
      { secrets, externalHost: hostname },
      { subdomain, name: realmName },
    );
    await realms.setActive(tx, id, false);
    await tx
      .insertInto('realm_import')
      .values({ realm_id: id, source, step: 0, part: 0, counts: '{}' })
      .execute();
    return id;
  });
  return { realm, step: 0, part: 0 };
}

/** Removes the notes of the import, and lets people in. */
async function finish({ db, realm }: Importing): Promise<Record<string, number>> {
  for (;;) {
    const { numAffectedRows } = await db.transaction(
      (tx) =>
        sql`delete from imported_id where realm_id = ${realm} and (kind, former_id, id) in (
          select kind, former_id, id from imported_id where realm_id = ${realm} limit 50000)`.execute(
          tx,
        ),
      work,
    );
    if (!numAffectedRows) break;
  }
  return db.transaction(async (tx) => {
    await tx.deleteFrom('imported_file').where('realm_id', '=', realm).execute();
    const { counts } = await tx
      .deleteFrom('realm_import')
      .where('realm_id', '=', realm)
      .returning('counts')
      .executeTakeFirstOrThrow();
    await reactivateRealm(tx, realm);
    return counts;
  }, work);
}
