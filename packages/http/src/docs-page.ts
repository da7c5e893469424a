import {
  type Contract,
  type Endpoint,
  type ErrorCode,
  errors,
  generalErrors,
  type Permission,
  splitRoute,
  type WebhookDefinition,
} from '@bellhop/protocol/contract';

import { escapeHtml, schemaTables } from './schema-tables.ts';

const style = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;margin:0;display:grid;grid-template-columns:19rem minmax(0,1fr);color:light-dark(#1a1d24,#e7e9ee);background:light-dark(#fff,#171a20)}
nav{position:sticky;top:0;height:100vh;overflow:auto;background:light-dark(#f6f7f9,#0f1115);padding:1rem;box-sizing:border-box;font-size:.85rem}
nav b{display:block;margin-top:.8rem}nav a{display:block;color:inherit;text-decoration:none;padding:.1rem 0}a:hover{text-decoration:underline}
main{padding:1rem 2rem;max-width:64rem}section{border-top:1px solid light-dark(#dcdfe6,#2a2f39);padding:1rem 0}h2{font:600 1.1rem ui-monospace,monospace;overflow-wrap:anywhere}
h2 b,a{color:light-dark(#2f5bd7,#8fb0ff)}h3{font-size:.95rem;margin:1rem 0 .3rem}.facts{color:light-dark(#565d6c,#a0a8b8);font-size:.85rem}.type{font:.85rem ui-monospace,monospace}
table{border-collapse:collapse;font-size:.9rem;width:100%}td{border-bottom:1px solid light-dark(#dcdfe6,#2a2f39);padding:.25rem .8rem .25rem 0;vertical-align:top}
td:first-child{width:17rem;overflow-wrap:anywhere}td.type{width:16rem}summary{cursor:pointer;color:light-dark(#2f5bd7,#8fb0ff)}
@media(max-width:50rem){body{display:block}nav{position:static;height:auto}main{padding:1rem}}`;

const permissionList = (permissions: readonly Permission[]): string =>
  `<ul>${permissions
    .map(({ to, when, where, grants }) => {
      const conditions = [when, where].filter((one) => one !== undefined);
      const scope = conditions.length > 0 ? ` (${conditions.join(', ')})` : '';
      return `<li>${escapeHtml(`${to}${scope}: ${grants.join(' or ')}`)}</li>`;
    })
    .join('')}</ul>`;

const errorList = (codes: readonly ErrorCode[]) =>
  `<ul>${codes
    .map(
      (code) =>
        `<li><code>${code}</code> (${errors[code].status}) ${escapeHtml(errors[code].text)}`,
    )
    .join('')}</ul>`;

export interface DocsPageOptions {
  readonly title: string;
  readonly prefix: string;
  /** Requests that the service sends, by name. */
  readonly webhooks: Readonly<Record<string, WebhookDefinition>>;
}

/** The API documentation of a contract as one HTML page without scripts. */
export function docsPage(contract: Contract, { title, prefix, webhooks }: DocsPageOptions): string {
  const tables = schemaTables();
  const section = (name: string, endpoint: Endpoint) => {
    const [method, path] = splitRoute(endpoint.route);
    const { description, emits, aliases, paramsSince } = endpoint;
    const aliased = Object.entries(aliases).map(([alias, of]) => `${alias} for ${of}`);
    const newer = Object.entries(paramsSince).map(([param, level]) => `${param} ${level}`);
    const facts = [
      name,
      `access: ${endpoint.access}`,
      `feature level ${endpoint.since}`,
      ...(newer.length > 0 ? [`feature levels of newer parameters: ${newer.join(', ')}`] : []),
      ...(endpoint.body === 'json' ? ['JSON body'] : []),
      ...(emits.length > 0 ? [`events: ${emits.join(', ')}`] : []),
      ...(aliased.length > 0 ? [`older names: ${aliased.join(', ')}`] : []),
    ];
    return `<section id="${name}"><h2><b>${method}</b> ${escapeHtml(prefix + path)}</h2>
<p>${escapeHtml(endpoint.summary)}.${description ? ` ${escapeHtml(description)}` : ''}</p>
<p class="facts">${facts.map(escapeHtml).join(' · ')}</p>
${endpoint.permissions.length > 0 ? `<h3>Permissions</h3>${permissionList(endpoint.permissions)}` : ''}
<h3>Parameters</h3>${tables.table(endpoint.params, 'input')}
<h3>Response</h3>${tables.table(endpoint.result, 'output')}
${endpoint.errors.length > 0 ? `<h3>Errors</h3>${errorList(endpoint.errors)}` : ''}</section>`;
  };
  const resources = Object.entries(contract).map(([resource, endpoints]) => {
    const named = Object.entries(endpoints).map(
      ([operation, endpoint]) => [`${resource}.${operation}`, endpoint] as const,
    );
    const links = named.map(([name, { route }]) => `<a href="#${name}">${escapeHtml(route)}</a>`);
    return {
      links: `<b>${resource}</b>${links.join('')}`,
      sections: named.map(([name, endpoint]) => section(name, endpoint)).join('\n'),
    };
  });
  const requests = Object.entries(webhooks).map(
    ([name, webhook]) => `<section id="${name}"><h2><b>POST</b> your URL</h2>
<p>${escapeHtml(webhook.summary)}. ${escapeHtml(webhook.description)}</p>
<p class="facts">${name} · ${webhook.contentType}</p>
<h3>Headers</h3>${tables.table(webhook.headers, 'output')}
<h3>Body</h3>${tables.table(webhook.payload, 'output')}
<h3>Response</h3>${tables.table(webhook.response, 'input')}</section>`,
  );
  const requestLinks = Object.keys(webhooks).map((name) => `<a href="#${name}">${name}</a>`);
  const name = escapeHtml(title);
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${name}</title><style>${style}</style>
<nav><a href="#top">${name}</a>${resources.map(({ links }) => links).join('')}${requests.length > 0 ? `<b>webhooks</b>${requestLinks.join('')}` : ''}</nav>
<main id="top"><h1>${name}</h1>
<p>Log in with HTTP Basic: e-mail address and API key. Send parameters as form fields or in the query; numbers, booleans, lists and objects as JSON text. Every response has <code>result</code> and <code>msg</code>, an error also a <code>code</code>; <code>ignored_parameters_unsupported</code> lists parameters that the operation does not have. This page as <a href="openapi.json">OpenAPI 3.1</a>.</p>
${resources.map(({ sections }) => sections).join('\n')}
${requests.length > 0 ? `<h1>Requests that the server sends</h1>${requests.join('\n')}` : ''}
<section id="errors"><h2>Errors of every operation</h2>${errorList(generalErrors)}</section>
<h1>Schemas</h1>${tables.shapes()}</main></html>`;
}
