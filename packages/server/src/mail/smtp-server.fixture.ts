import type { AddressInfo } from 'node:net';

import { SMTPServer } from 'smtp-server';

interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Headers and body as they came. */
  readonly source: string;
}
/** An SMTP server on loopback. */
export interface TestSmtpServer extends AsyncDisposable {
  readonly port: number;
  readonly received: readonly ReceivedMail[];
  /** Commands `RCPT TO` so far, of refused mails too. */
  readonly attempts: () => number;
}
interface TestSmtpOptions {
  /** Status and text of the refusal of a receiver; undefined accepts it. */
  readonly refuse?: (attempt: number) => readonly [status: number, text: string] | undefined;
  /** Default: no login needed. */
  readonly login?: { readonly user: string; readonly password: string };
  readonly offersTls?: boolean;
}

export async function startSmtpServer(options: TestSmtpOptions = {}): Promise<TestSmtpServer> {
  const { refuse, login, offersTls = false } = options;
  const received: ReceivedMail[] = [];
  let attempts = 0;
  const server = new SMTPServer({
    logger: false,
    authOptional: login === undefined,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    disabledCommands: offersTls ? [] : ['STARTTLS'],
    onAuth({ username, password }, _session, callback) {
      const isRight = username === login?.user && password === login?.password;
      if (isRight) callback(null, { user: username });
      else callback(new Error('Invalid login'));
    },
    onRcptTo(_address, _session, callback) {
      const refusal = refuse?.(++attempts);
      if (!refusal) return callback();
      return callback(Object.assign(new Error(refusal[1]), { responseCode: refusal[0] }));
    },
    onData(stream, { envelope }, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        const to = envelope.rcptTo.map(({ address }) => address);
        received.push({ from, to, source: Buffer.concat(chunks).toString() });
        callback();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.server.address() as AddressInfo).port,
    received,
    attempts: () => attempts,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
