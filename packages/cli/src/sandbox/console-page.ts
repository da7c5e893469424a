import { roles } from '@bellhop/protocol';

import type { SandboxFile } from './sandbox-file.ts';

const escape = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
const roleName = (role: number) =>
  Object.entries(roles).find(([, number]) => number === role)?.[0] ?? String(role);

const style = `body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:64rem;padding:0 1rem;color:#1b2733}
h1{font-size:1.4rem}h2{font-size:1.1rem;margin-top:2rem}table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:.25rem .8rem .25rem 0;border-bottom:1px solid #e3e9ee}
code{font-family:ui-monospace,monospace;font-size:.9em}.phones{display:grid;grid-template-columns:1fr 1fr;gap:1.5rem}
.phone{border:2px solid #1b2733;border-radius:1.5rem;padding:1rem;min-height:16rem;background:#f6f9fb}.phone h3{margin:0 0 .5rem}
.push{background:#fff;border:1px solid #d7dfe7;border-radius:.6rem;padding:.6rem;margin:.5rem 0;font-size:.85rem;overflow-wrap:anywhere}
.sealed{color:#7a8895;font-size:.75rem}.none{color:#7a8895}`;

const script = `const show=(name,{payload,received_at,encrypted_data})=>{
const phone=[...document.querySelectorAll('.phone')].find((one)=>one.dataset.name===name);
if(!phone)return;phone.querySelector('.none')?.remove();
const push=document.createElement('div');push.className='push';
const pre=document.createElement('code');pre.textContent=JSON.stringify(payload);
const sealed=document.createElement('div');sealed.className='sealed';
sealed.textContent=received_at+', travelled as '+encrypted_data.slice(0,48)+'…';
push.append(pre,sealed);phone.querySelector('h3').after(push)};
fetch('phones').then((answer)=>answer.json()).then((phones)=>{for(const {name,inbox} of phones)for(const one of inbox)show(name,one);
new EventSource('phones/events').onmessage=({data})=>{const {name,...one}=JSON.parse(data);show(name,one)}});`;

/** Addresses, logins and the two phones; new notifications appear by themselves. */
export function consolePage(file: SandboxFile): string {
  const addresses = [
    ['Chat server', file.base_url],
    ['API documentation', `${file.base_url}/api/docs`],
    ['Push bouncer', file.bouncer_url],
    ['Push simulators', file.simulator.control_url],
  ].map(([what, url]) => `<tr><td>${what}<td><code>${escape(url ?? '')}</code>`);
  const logins = file.users.map(
    ({ full_name, email, password, role }) =>
      `<tr><td>${escape(full_name)}<td><code>${escape(email)}</code><td><code>${escape(password)}</code><td>${roleName(role)}`,
  );
  const phones = file.devices.map(
    ({ name, token_kind }) =>
      `<div class="phone" data-name="${escape(name)}"><h3>${escape(name)} (${token_kind})</h3><p class="none">Nothing yet. Run: npx bellhop try push</div>`,
  );
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Bellhop sandbox</title><style>${style}</style><h1>Bellhop sandbox</h1>
<table>${addresses.join('')}</table>
<h2>What the phones received, decrypted</h2><div class="phones">${phones.join('')}</div>
<h2>Logins</h2><table><tr><th>Name<th>E-mail<th>Password<th>Role</tr>${logins.join('')}</table>
<script>${script}</script></html>`;
}
