import { resolve } from 'node:path';

import type { SandboxFile } from '@bellhop/bot-cli/sandbox';
import { roles } from '@bellhop/protocol';

interface SandboxStart {
  readonly dataDir: string;
  /** Signs one browser in to the console, once. */
  readonly signInLink: string;
  /** The directory of the mails. */
  readonly outbox: string;
  readonly seconds: string;
}

/** The text that `bellhop sandbox` prints once it runs: addresses, logins, commands to try. */
export function welcome(file: SandboxFile, start: SandboxStart): string {
  const { dataDir, signInLink, outbox, seconds } = start;
  const rows = [
    ['Console', signInLink],
    ['', 'works once, for one browser; later sign in there by e-mail and password'],
    ['Chat server', file.base_url],
    ['API docs', `${file.base_url}/api/docs`],
    ['Mails', outbox],
    ['', 'a .txt and an .eml for each mail, such as an invitation'],
    ['Push bouncer', file.bouncer_url],
    ['', `public key ${file.bouncer_public_key}, app ${file.app_id}`],
    ['Simulators', `FCM ${file.simulator.fcm_url}, APNs ${file.simulator.apns_url}`],
    ['', `Web Push ${file.simulator.webpush_url}`],
    ['', `control ${file.simulator.control_url}`],
  ];
  const logins = file.users.map(
    ({ email, password, role }) => `  ${email.padEnd(26)} ${password.padEnd(14)} ${roleName(role)}`,
  );
  return `
Bellhop is ready (${seconds}).

${rows.map(([what = '', where = '']) => `  ${what.padEnd(13)} ${where}`).join('\n')}

  ${'Login'.padEnd(26)} ${'Password'.padEnd(14)} Role
${logins.join('\n')}

In a second shell, in this folder:

${exportLine(dataDir)}  npx bellhop try message     sends the echo bot a direct message and shows its reply
  npx bellhop bot deliveries  shows what was sent to bots, and what came of it
  npx bellhop try push        sends a test notification and shows it decrypted on phones and browser
  npx bellhop device add      adds a phone of yours; "device watch" shows what it receives

Ctrl-C stops everything; the data stays for the next start.`;
}

/** Where the commands find the sandbox; empty for the directory in which they look anyway. */
function exportLine(dataDir: string): string {
  const path = resolve(dataDir);
  if (path === resolve('.bellhop')) return '';
  return `  export BELLHOP_DATA_DIR='${path.replaceAll("'", String.raw`'\''`)}'\n`;
}

/** The name of a role; the number if it has none. */
const roleName = (role: number): string =>
  Object.entries(roles).find(([, number]) => number === role)?.[0] ?? String(role);
