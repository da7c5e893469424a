import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { createTransport } from 'nodemailer';

import { nodemailerMail } from './mail-headers.ts';
import type { Mailer, OutgoingMail } from './mailer.ts';

/** When a mail is written, older ones beyond this number are deleted. */
const MAX_MAILS = 500;

/**
 * Writes each mail into a directory that only the owner of the process reads: `<time> <address> <id>`
 * as `.eml`, which mail programs open, and as `.txt`.
 */
export function outboxMailer({ outbox, from }: { outbox: string; from: string }): Mailer {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return {
    async send(mail) {
      await mkdir(outbox, { recursive: true, mode: 0o700 });
      const { message } = await transport.sendMail(nodemailerMail(mail, from));
      const base = join(outbox, fileName(mail));
      await writeWhole(`${base}.eml`, message as Buffer);
      await writeWhole(`${base}.txt`, readable(mail, from));
      await removeOldest(outbox);
    },
    close: () => transport.close(),
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
  const names = (await readdir(outbox)).filter((name) => /\.(eml|txt)$/.test(name)).toSorted();
  const surplus = names.slice(0, Math.max(0, names.length - 2 * MAX_MAILS));
  await Promise.all(surplus.map((name) => rm(join(outbox, name), { force: true })));
}
