import { type AttemptResult, dead, type DeadJob } from '@bellhop/jobs';
import { RealmId, stringifyJson } from '@bellhop/protocol';
import { z } from 'zod';

import type { Config } from '../config.ts';
import type { App } from '../engine/app.ts';
import type { Change, Tx } from '../engine/call.ts';
import { job } from '../engine/job.ts';
import type { Tables } from '../engine/tables.ts';
import { isMailAddress } from './mail-address.ts';
import { Mail } from './mail.ts';
import { UndeliverableMail } from './mailer.ts';

/** Above the time-outs of the connection, so that their reason is recorded. */
export const MAIL_TIMEOUT_MS = 90_000;

const Payload = z.object({
  realm_id: RealmId,
  /** The mail, encrypted: it may hold a link that lets its reader in. */
  sealed: z.base64(),
});
type Payload = z.output<typeof Payload>;

const queuedMail = {
  name: 'send_mail',
  lane: 'mail',
  payload: Payload,
  key: ({ realm_id }: Payload) => String(realm_id),
};

/** Sends mails, each at least once and with the same Message-ID in every attempt. */
export const sendMail = ({ mail }: Config) =>
  job<Payload>({
    ...queuedMail,
    retry: mail.retrySeconds,
    timeoutMs: MAIL_TIMEOUT_MS,
    async run({ realm_id, sealed }, app, { jobId }) {
      if (!(await app.realms.byId(realm_id)).is_active)
        return dead({ reason: 'The organization was deactivated' });
      const content = Mail.parse(JSON.parse(app.secrets.open(Buffer.from(sealed, 'base64'))));
      return deliverMail(app, { realm_id, jobId }, content);
    },
    onDead: logDeadMail,
  });

interface MailJob {
  readonly realm_id: RealmId;
  readonly jobId: string;
}

/** Hands the mail of a job to the mailer. The job is dead if another attempt is in vain. */
export async function deliverMail(
  { mailer, now }: App,
  { realm_id, jobId }: MailJob,
  mail: Mail,
): Promise<AttemptResult<Tables> | undefined> {
  if (!isMailAddress(mail.to)) return dead({ reason: 'The address is not valid' });
  try {
    await mailer.send({ ...mail, id: jobId, realm_id, sent_at: now() });
    return undefined;
  } catch (error) {
    if (error instanceof UndeliverableMail) return dead({ reason: error.message });
    throw error;
  }
}

/** Logs a mail that was given up: no address, no content. */
export async function logDeadMail(
  _tx: Tx,
  { jobId, payload: { realm_id }, reason }: DeadJob<{ readonly realm_id: RealmId }>,
  { log }: App,
): Promise<void> {
  log.warn({ jobId, realm_id, reason }, 'a mail was given up');
}

interface MailContext {
  readonly app: Pick<App, 'secrets'>;
  readonly realm: { readonly id: RealmId };
}

/** Sends mails after the commit of the change. */
export async function enqueueMails(
  { enqueueAll }: Pick<Change, 'enqueueAll'>,
  { app, realm }: MailContext,
  mails: readonly Mail[],
): Promise<void> {
  const sealed = (mail: Mail) => app.secrets.seal(stringifyJson(mail)).toString('base64');
  const payloads = mails.map((mail) => ({ realm_id: realm.id, sealed: sealed(mail) }));
  await enqueueAll(queuedMail, payloads);
}
