import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

import {
  FORM_VERSION,
  formFiles,
  type FormRecord,
  Manifest,
  messagesFile,
  PortabilityError,
} from '../form.ts';
import { readSmall } from './open-export.ts';

/** The releases of public servers whose exports are known. */
const KNOWN_RELEASES = { from: 4, to: 12 };
interface CheckedExport {
  readonly folder: string;
  /** Takes an export of a public server whose version is not known. */
  readonly anyVersion?: boolean;
}

/** Throws for what is no export, or one that this version does not know. */
export async function checkForm({
  folder,
  anyVersion,
}: CheckedExport): Promise<Manifest | undefined> {
  const own = await readSmall(folder, formFiles.manifest);
  if (own !== undefined) return checkManifest(own);
  const versions = (await readSmall(folder, formFiles.versions)) as FormRecord | undefined;
  if (versions === undefined) {
    if (anyVersion) return undefined;
    throw new PortabilityError(
      `The export has neither ${formFiles.manifest} nor ${formFiles.versions}: it is unknown which server made it, or it is not complete. --any-version imports it all the same.`,
    );
  }
  const said = versions['zulip_version'];
  const release = typeof said === 'string' ? Number(/^\d+/.exec(said)?.[0]) : Number.NaN;
  const isKnown = release >= KNOWN_RELEASES.from && release <= KNOWN_RELEASES.to;
  if (!isKnown && !anyVersion)
    throw new PortabilityError(
      `The export is of version ${String(said)}; the forms of ${KNOWN_RELEASES.from} to ${KNOWN_RELEASES.to} are known. --any-version imports it all the same.`,
    );
  return undefined;
}

function checkManifest(value: unknown): Manifest {
  const form = (value as { form?: unknown } | null)?.form;
  if (typeof form === 'number' && form > FORM_VERSION)
    throw new PortabilityError(
      `The export was made by a newer version (form ${form}; this one reads ${FORM_VERSION}). Update this server first.`,
    );
  const manifest = Manifest.safeParse(value);
  if (!manifest.success)
    throw new PortabilityError(`${formFiles.manifest} of the export is damaged. Export again.`);
  if (manifest.data.scope === 'person')
    throw new PortabilityError('This is the data of one person, not of an organization.');
  return manifest.data;
}

/** The files with messages: from the first on, without a gap. */
export async function findMessageFiles(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => /^messages-\d{6,}\.json$/.test(name));
  const sorted = names.toSorted((a, b) => Number(/\d+/.exec(a)) - Number(/\d+/.exec(b)));
  for (const [at, name] of sorted.entries())
    if (name !== messagesFile(at + 1))
      throw new PortabilityError(`${messagesFile(at + 1)} is missing in the export.`);
  return sorted;
}

/** Tells one export from another: the people, channels and settings, and how much there is. */
export async function digestOf(folder: string, messageFiles: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(
    join(folder, formFiles.realm),
  ) as AsyncIterable<Buffer>)
    hash.update(chunk);
  for (const name of messageFiles) {
    const { size } = await stat(join(folder, name));
    hash.update(`\n${name} ${size}`);
  }
  return hash.digest('hex');
}
