import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { RealmId, stringifyJson } from '@bellhop/protocol';
import { z } from 'zod';

import { nodemailerMail } from './mail-headers.ts';
import { Mail } from './mail.ts';
import type { Mailer, OutgoingMail } from './mailer.ts';

/** When a mail is written, older ones beyond this number are deleted. */
const MAX_MAILS = 500;
/** The limit of one realm. */
const MAX_READ = 100;

interface Outbox {
  /** The directory. */
  readonly outbox: string;
  readonly from: string;
  /** Whether each mail is written as `.json` too, from which the owners of its realm read it. */
  readonly isOutboxReadable: boolean;
}

/**
 * Writes each mail into a directory that only the owner of the process reads: `<time> <address> <id>`
 * as `.eml`, which mail programs open, and as `.txt`.
 */
export function outboxMailer({ outbox, from, isOutboxReadable }: Outbox): Mailer {
  return {
    async send(mail) {
      await mkdir(outbox, { recursive: true, mode: 0o700 });
      const { createTransport } = await import('nodemailer');
      const transport = createTransport({
        streamTransport: true,
        buffer: true,
        newline: 'windows',
      });
      const { message } = await transport.sendMail(nodemailerMail(mail, from));
      const base = join(outbox, fileName(mail));
      await writeWhole(`${base}.eml`, message as Buffer);
      await writeWhole(`${base}.txt`, readable(mail, from));
      if (isOutboxReadable) await writeWhole(`${base}.json`, stringifyJson(mail));
      await removeOldest(outbox);
    },
    kept: isOutboxReadable ? (realm_id) => readMails(outbox, realm_id) : undefined,
    close: () => {},
  };
}

/** Sorts by time. Letters and digits only, besides a few signs: safe on every file system. */
function fileName({ sent_at, to, id }: OutgoingMail): string {
  const time = new Date(sent_at * 1000).toISOString().slice(0, 19).replaceAll(':', '');
  return `${time} ${to.replaceAll(/[^\w@.+-]/g, '_').slice(0, 80)} ${id.replaceAll(/\W/g, '').slice(-12)}`;
}

const readable = ({ to, from_name, subject, text }: OutgoingMail, from: string) =>
  `From: ${from_name} <${from}>\nTo: ${to}\nSubject: ${subject}\n\n${text}`;

/** A reader of the directory never sees half a file. */
async function writeWhole(path: string, content: string | Buffer): Promise<void> {
  await writeFile(`${path}.new`, content, { mode: 0o600 });
  await rename(`${path}.new`, path);
}

async function removeOldest(outbox: string): Promise<void> {
  const files = await filesOf(outbox);
  const mails = [...new Set(files.map(withoutEnding))].toSorted();
  const surplus = new Set(mails.slice(0, Math.max(0, mails.length - MAX_MAILS)));
  const removed = files.filter((name) => surplus.has(withoutEnding(name)));
  await Promise.all(removed.map((name) => rm(join(outbox, name), { force: true })));
}

const withoutEnding = (name: string) => name.replace(/\.\w+$/, '');

/** The names of its finished files. */
async function filesOf(outbox: string): Promise<string[]> {
  const names = await readdir(outbox).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names.filter((name) => /\.(eml|txt|json)$/.test(name));
}

const StoredMail = Mail.extend({ id: z.string(), realm_id: RealmId, sent_at: z.int() });

async function readMails(outbox: string, realm_id: RealmId): Promise<readonly OutgoingMail[]> {
  const names = (await filesOf(outbox)).filter((name) => name.endsWith('.json'));
  const found: OutgoingMail[] = [];
  for (const name of names.toSorted().toReversed()) {
    // Writing another mail may have removed the file meanwhile.
    const text = await readFile(join(outbox, name), 'utf8').catch(() => 'null');
    const mail = StoredMail.safeParse(JSON.parse(text));
    if (mail.success && mail.data.realm_id === realm_id) found.push(mail.data);
    if (found.length === MAX_READ) break;
  }
  return found;
}
