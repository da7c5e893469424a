import type { TokenKind } from '@bellhop/protocol';

import { roleName } from '../role-name.ts';
import type { SandboxFile } from '../sandbox-file.ts';

/** A piece of HTML. `html` escapes every text that is put into it. */
interface Html {
  readonly html: string;
}
type Part = Html | readonly Html[] | string;

const escape = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
const textOf = (part: Part): string => {
  if (typeof part === 'string') return escape(part);
  return 'html' in part ? part.html : part.map(({ html }) => html).join('');
};
const html = (texts: TemplateStringsArray, ...parts: readonly Part[]): Html => ({
  html: String.raw({ raw: texts }, ...parts.map(textOf)),
});

const providerNames: Readonly<Record<TokenKind, string>> = {
  fcm: 'FCM',
  apns: 'APNs',
  webpush: 'Web Push',
};

/** The page with addresses, logins and phones. `console.js` adds the notifications. */
export function consolePage({ base_url, bouncer_url, simulator, users, ...file }: SandboxFile) {
  const link = (url: string) => html`<a href="${url}">${url}</a>`;
  const addresses: readonly (readonly [string, Html])[] = [
    ['Chat server', html`<code>${base_url}</code>`],
    ['API documentation', link(`${base_url}/api/docs`)],
    ['Push bouncer', html`<code>${bouncer_url}</code>`],
    ['FCM, simulated', html`<code>${simulator.fcm_url}</code>`],
    ['APNs, simulated', html`<code>${simulator.apns_url}</code>`],
    ['Web Push, simulated', html`<code>${simulator.webpush_url}</code>`],
    ['Control API of all', link(`${simulator.control_url}/openapi.json`)],
  ];
  const logins = users.map(
    ({ full_name, email, password, role }) =>
      html`<tr>
        <td>${full_name}</td>
        <td>${roleName(role)}</td>
        <td><code>${email}</code></td>
        <td><code>${password}</code></td>
      </tr>`,
  );
  const phones = file.devices.map(
    ({ name, token_kind }) =>
      html`<article class="phone ${token_kind}" data-name="${name}">
        <i></i>
        <header>
          <h3>${name}</h3>
          <span>${providerNames[token_kind]}</span>
        </header>
        <ol aria-live="polite" aria-label="Notifications of ${name}"></ol>
        <p class="none">No notifications yet</p>
      </article>`,
  );
  const owner = users.find(({ user_id }) => user_id === file.devices[0]?.user_id);
  return html`<!doctype html>
    <html lang="en">
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width,initial-scale=1" /><title>
        Bellhop sandbox
      </title>
      <link rel="icon" href="data:," /><link rel="stylesheet" href="console.css" />
      <main>
        <h1>Bellhop sandbox</h1>
        <section class="desk">
          <div class="phones">${phones}</div>
          <div class="aside">
            <h2>What phones and browser received</h2>
            <p>
              All of them belong to ${owner?.full_name ?? 'one person'}. Server, bouncer and push
              providers pass on notifications that they cannot read. Each phone, and the browser,
              decrypts them with its own key; they appear here as they arrive.
            </p>
            <p>In a shell, in the folder of the sandbox:</p>
            <pre>npx bellhop try push</pre>
            <h2>Addresses</h2>
            <table>
              ${addresses.map(
                ([what, where]) =>
                  html`<tr>
                    <th>${what}</th>
                    <td>${where}</td>
                  </tr>`,
              )}
            </table>
          </div>
        </section>
        <h2>Logins</h2>
        <div class="wide">
          <table>
            <tr>
              <th>Name</th>
              <th>Role</th>
              <th>E-mail</th>
              <th>Password</th>
            </tr>
            ${logins}
          </table>
        </div>
      </main>
      <script src="console.js" defer></script>
    </html>`.html;
}
