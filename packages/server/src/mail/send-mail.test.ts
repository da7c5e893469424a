import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { sql } from 'kysely';
import { describe, expect, test, vi } from 'vitest';

import { startTestChat, type TestChat } from '../test-chat.fixture.ts';
import { composeMail, mailName } from './mail.ts';
import { enqueueMails } from './send-mail.ts';
import { startSmtpServer, type TestSmtpServer } from './smtp-server.fixture.ts';

const HOSTILE = 'Ève\r\nBcc: all@example.com <script>';
const SECRET_LINK = 'https://chat.test/join/secret-token';

const send = ({ server: { app }, realm }: TestChat, to = 'ophelia@example.com') =>
  app.change(realm, (change) =>
    enqueueMails(change, { app, realm }, [
      composeMail({
        to,
        realm: { name: 'Elsinore' },
        subject: `${mailName(HOSTILE)} invites you`,
        blocks: [{ label: 'Join', url: SECRET_LINK }],
      }),
    ]),
  );

const smtpOf = ({ port }: Pick<TestSmtpServer, 'port'>, more = {}) => ({
  BELLHOP_SMTP_HOST: '127.0.0.1',
  BELLHOP_SMTP_PORT: String(port),
  BELLHOP_SMTP_SECURITY: 'none',
  BELLHOP_MAIL_RETRY: '0,0',
  ...more,
});

const jobs = async ({ server }: TestChat) => {
  const { rows } = await sql<{ state: string; payload: unknown; reason: string | null }>`
    select state, payload, (select a.error from job_attempt a where a.job_id = job.id
      order by a.number desc limit 1) as reason from job where name = 'send_mail'`.execute(
    server.app.db.kysely,
  );
  return rows;
};
const waitForState = (chat: TestChat, state: string) =>
  vi.waitFor(async () => expect((await jobs(chat))[0]).toMatchObject({ state }), 15_000);

describe('a mail by SMTP', () => {
  test('arrives with text and HTML, and a hostile name adds no header', async () => {
    const login = { user: 'bellhop', password: 'a secret for SMTP' };
    await using smtp = await startSmtpServer({ login });
    await using chat = await startTestChat({
      env: smtpOf(smtp, { BELLHOP_SMTP_USER: login.user, BELLHOP_SMTP_PASSWORD: login.password }),
    });
    await send(chat);
    await vi.waitFor(() => expect(smtp.received).toHaveLength(1), 15_000);
    const [mail] = smtp.received;
    expect(mail).toMatchObject({ from: 'noreply@chat.test', to: ['ophelia@example.com'] });
    const [head = '', body = ''] = mail?.source.split('\r\n\r\n') ?? [];
    expect(head).toMatch(/^From: Elsinore <noreply@chat\.test>$/m);
    expect(head).toMatch(/^Message-ID: <[\w-]+@chat\.test>$/m);
    expect(head).toMatch(/^Auto-Submitted: auto-generated$/m);
    expect(head).not.toMatch(/^Bcc:/im);
    expect(`${head}${body}`).toContain('multipart/alternative');
    expect(mail?.source).toContain(SECRET_LINK);
  });

  test('leaves nothing of its content or the password in the queue and the log', async () => {
    const login = { user: 'bellhop', password: 'a secret for SMTP' };
    await using smtp = await startSmtpServer({ login });
    await using chat = await startTestChat({
      env: smtpOf(smtp, { BELLHOP_SMTP_USER: 'bellhop', BELLHOP_SMTP_PASSWORD: 'a wrong secret' }),
    });
    await send(chat);
    await waitForState(chat, 'dead');
    const left = `${JSON.stringify(await jobs(chat))}${chat.logged()}`;
    expect(left).toContain('Invalid login');
    expect(left).not.toMatch(/secret|ophelia/);
    expect(smtp.received).toEqual([]);
  });

  test('is tried again after a temporary refusal (4xx)', async () => {
    await using smtp = await startSmtpServer({
      refuse: (attempt) => (attempt < 3 ? [451, 'Try again later'] : undefined),
    });
    await using chat = await startTestChat({ env: smtpOf(smtp) });
    await send(chat);
    await waitForState(chat, 'done');
    expect([smtp.attempts(), smtp.received.length]).toEqual([3, 1]);
  });

  test('is given up at once after a permanent refusal of the receiver (5xx)', async () => {
    await using smtp = await startSmtpServer({ refuse: () => [550, 'No such mailbox'] });
    await using chat = await startTestChat({ env: smtpOf(smtp) });
    await send(chat);
    await waitForState(chat, 'dead');
    expect(smtp.attempts()).toBe(1);
    expect(chat.logged()).toContain('a mail was given up');
  });

  test('is not sent to a server without TLS or with an untrusted certificate', async () => {
    await using plain = await startSmtpServer();
    await using selfSigned = await startSmtpServer({ offersTls: true });
    for (const smtp of [plain, selfSigned]) {
      await using chat = await startTestChat({
        env: smtpOf(smtp, { BELLHOP_SMTP_SECURITY: 'starttls', BELLHOP_MAIL_RETRY: 'none' }),
      });
      await send(chat);
      await waitForState(chat, 'dead');
      expect(smtp.received).toEqual([]);
    }
  });

  test('to an invalid address is not sent', async () => {
    await using smtp = await startSmtpServer();
    await using chat = await startTestChat({ env: smtpOf(smtp) });
    await send(chat, 'ophelia@example.com, all@example.com');
    await waitForState(chat, 'dead');
    expect(smtp.attempts()).toBe(0);
  });
});

test('without an SMTP server a mail is written into the outbox, which only the owner reads', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'outbox-'));
  const outbox = join(directory, 'outbox');
  await using chat = await startTestChat({ env: { BELLHOP_MAIL_OUTBOX: outbox } });
  await send(chat, '/x/ophelia@example.com');
  await waitForState(chat, 'done');
  const names = (await readdir(outbox)).toSorted();
  expect(names).toEqual([
    expect.stringMatching(/^\S+ _x_ophelia@example\.com \w+\.eml$/),
    expect.stringMatching(/\.txt$/),
  ]);
  const [eml = '', txt = ''] = await Promise.all(
    names.map((name) => readFile(join(outbox, name), 'utf8')),
  );
  expect(eml).toMatch(/^Subject: =\?UTF-8\?/m);
  expect(txt).toContain('From: Elsinore <noreply@chat.test>\nTo: /x/ophelia@example.com\n');
  expect(txt).toContain(SECRET_LINK);
  const modes = await Promise.all([outbox, join(outbox, names[0] ?? '')].map((path) => stat(path)));
  expect(modes.map(({ mode }) => (mode & 0o777).toString(8))).toEqual(['700', '600']);
  await rm(directory, { recursive: true });
});
