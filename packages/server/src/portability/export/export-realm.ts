import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { type RealmId, type UserId, VERSION } from '@bellhop/protocol';
import { sql } from 'kysely';

import type { Db } from '../../engine/call.ts';
import * as realms from '../../model/realms/queries.ts';
import { realmUrl } from '../../model/realms/realm-url.ts';
import * as users from '../../model/users/queries.ts';
import {
  FORM_VERSION,
  formFiles,
  type Manifest,
  MESSAGES_PER_FILE,
  messagesFile,
  PortabilityError,
} from '../form.ts';
import { writeAvatars, writePictures, writeUploads } from './export-files.ts';
import { clientsOf, flagsBetween, messagesAfter } from './export-messages.ts';
import { type ExportRequest, type ExportRun, State } from './export-run.ts';
import { realmRecords, tableExports } from './export-tables.ts';
import type { Scope } from './scope.ts';
import { one, reading, writeJson, writeTable, writeWhole } from './write-files.ts';

const STATE_FILE = 'export-state.json';

/**
 * Writes an organization into a folder, in the form of public exports. Nothing of it is in memory as a
 * whole. Passwords, API keys, sessions, devices and invitations are never written. Throws a
 * PortabilityError for a folder that cannot take the export, and for an unknown person.
 */
export async function exportRealm(request: ExportRequest): Promise<void> {
  const { folder, db } = request;
  const state = await begin(request);
  const scope: Scope = {
    realm: state.realm as RealmId,
    newest: state.newest,
    ...(state.only === undefined ? {} : { only: state.only as 'public' | UserId }),
  };
  const run: ExportRun = { ...request, scope, state, note: () => note(folder, state) };
  await writeMessages(run);
  await writeUploads(run);
  await writeAvatars(run);
  await writePictures(run);
  await writeRealm(run);
  const { subdomain } = await realms.byId(db.kysely, scope.realm);
  const only = scope.only === undefined ? 'all' : scope.only === 'public' ? 'public' : 'person';
  const manifest: Manifest = {
    form: FORM_VERSION,
    server: VERSION,
    url: realmUrl(request.externalUrl, subdomain),
    scope: only,
    exported_at: Math.floor(Date.now() / 1000),
  };
  await writeWhole(join(folder, formFiles.manifest), manifest);
  await rm(join(folder, STATE_FILE));
}

/** Makes the folder, or reads how far an interrupted export came. */
async function begin({ db, realm, folder, only: requested }: ExportRequest): Promise<State> {
  const only =
    requested === undefined || requested === 'public'
      ? requested
      : await personId(db.kysely, realm, requested.email);
  // For the eyes of its owner: it has the messages of everybody.
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const names = await readdir(folder);
  if (names.includes(STATE_FILE)) {
    const text = await readFile(join(folder, STATE_FILE), 'utf8');
    const state = State.safeParse(JSON.parse(text)).data;
    if (!state || state.realm !== realm || state.only !== only)
      throw new PortabilityError(
        `Another export was begun in ${folder}. Name another folder, or delete this one.`,
      );
    return state;
  }
  if (names.includes(formFiles.manifest))
    throw new PortabilityError(`${folder} has a complete export already. Name another folder.`);
  if (names.length > 0)
    throw new PortabilityError(`${folder} is not empty. Name a folder that does not exist.`);
  const { rows } = await sql<{ newest: number }>`select coalesce(max(id), 0) as newest
    from message where realm_id = ${realm}`.execute(db.kysely);
  const newest = rows[0]?.newest ?? 0;
  const scope = { realm, newest, ...(only === undefined ? {} : { only }) };
  const clients = await clientsOf(scope).execute(db.kysely);
  const state: State = {
    ...scope,
    clients: clients.rows.map(({ client }) => client),
    files: 0,
    message: 0,
    messages: 0,
    upload: 0,
    avatar: 0,
  };
  await note(folder, state);
  return state;
}

async function personId(db: Db, realm: RealmId, email: string): Promise<UserId> {
  const found = await users.byEmail(db, realm, email.trim());
  if (!found || found.is_bot)
    throw new PortabilityError(`Nobody in the organization has the address ${email}.`);
  return found.id;
}

const note = (folder: string, state: State) => writeWhole(join(folder, STATE_FILE), state);

async function writeMessages({
  db,
  folder,
  scope,
  state,
  progress,
  signal,
}: ExportRun): Promise<void> {
  const clientIds = new Map(state.clients.map((name, at) => [name, at + 1]));
  for (;;) {
    signal?.throwIfAborted();
    const { rows } = await messagesAfter(scope, state.message, MESSAGES_PER_FILE).execute(
      db.kysely,
    );
    const first = rows[0]?.id;
    const last = rows.at(-1)?.id;
    if (first === undefined || last === undefined) return;
    const records = rows.map(({ client, edit_history, ...row }) => ({
      ...row,
      sending_client: clientIds.get(client) ?? null,
      // It may name the private channel that a message was moved out of, or what was taken back.
      edit_history: edit_history && scope.only !== 'public' ? JSON.stringify(edit_history) : null,
    }));
    await writeJson(join(folder, messagesFile(state.files + 1)), async (file) => {
      await file.table('zerver_message', one(records));
      await db.transaction((tx) => writeTable(file, tx, flagsBetween(scope, first, last)), reading);
    });
    state.files += 1;
    state.message = last;
    state.messages += rows.length;
    await note(folder, state);
    progress({ what: 'messages', done: state.messages });
  }
}

/** The last file: it has every channel and person that a message in the files names. */
async function writeRealm({ db, folder, scope, state, progress }: ExportRun): Promise<void> {
  const row = await realms.byId(db.kysely, scope.realm);
  const { realm, defaults } = realmRecords(row);
  await writeJson(join(folder, formFiles.realm), (file) =>
    db.transaction(
      async (tx) => {
        await file.table('zerver_realm', one([realm]));
        await file.table('zerver_realmuserdefault', one([defaults]));
        for (const table of tableExports(scope, state.clients)) {
          const done = await writeTable(file, tx, table);
          if (done > 0) progress({ what: table.name.replace('zerver_', ''), done });
        }
      },
      { ...reading, isolation: 'repeatable read' },
    ),
  );
}
