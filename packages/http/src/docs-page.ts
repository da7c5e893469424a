import { type Contract, type Endpoint, errors, splitRoute } from '@bellhop/protocol';
import { z } from 'zod';

const escape = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

interface Field {
  readonly type?: string | string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: unknown[];
  readonly const?: unknown;
  readonly anyOf?: Field[];
  readonly oneOf?: Field[];
  readonly items?: Field;
  readonly $ref?: string;
}

/** What a JSON Schema admits, in a few words: `integer[]`, `"start" | "stop"`, `Message`. */
function typeName(field: Field): string {
  if (field.$ref) return field.$ref.split('/').at(-1) ?? '';
  if (field.const !== undefined) return JSON.stringify(field.const);
  if (field.enum) return field.enum.map((value) => JSON.stringify(value)).join(' | ');
  const options = field.anyOf ?? field.oneOf;
  if (options) return [...new Set(options.map(typeName))].join(' | ');
  if (field.type === 'array')
    return field.items ? `(${typeName(field.items)})[]`.replace(/^\((\w+)\)/, '$1') : 'array';
  return field.type === undefined ? 'any' : String(field.type);
}

function table(schema: z.ZodObject, io: 'input' | 'output'): string {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema._zod.def.type === 'bigint') jsonSchema.type = 'integer';
    },
  }) as { properties?: Record<string, Field>; required?: string[] };
  const rows = Object.entries(properties).map(([name, field]) => {
    const notes = [
      required.includes(name) ? (io === 'input' ? 'required' : '') : 'optional',
      field.default === undefined ? '' : `default ${JSON.stringify(field.default)}`,
      field.description ?? '',
    ];
    return `<tr><td><code>${escape(name)}</code><td>${escape(typeName(field))}<td>${escape(notes.filter(Boolean).join('; '))}`;
  });
  return rows.length === 0 ? '<p>None beyond the envelope.' : `<table>${rows.join('')}</table>`;
}

function section(name: string, endpoint: Endpoint, prefix: string): string {
  const [method, path] = splitRoute(endpoint.route);
  const codes = endpoint.errors.map(
    (code) => `<li><code>${code}</code> (${errors[code].status}) ${escape(errors[code].text)}`,
  );
  return `<section id="${name}"><h2><b>${method}</b> ${escape(prefix + path)}</h2>
<p>${escape(endpoint.summary)}. ${escape(endpoint.description ?? '')}
<p class="facts">${name} · access: ${endpoint.access} · feature level ${endpoint.since}${endpoint.emits.length > 0 ? ` · events: ${endpoint.emits.join(', ')}` : ''}
<h3>Parameters</h3>${table(endpoint.params, 'input')}<h3>Answer</h3>${table(endpoint.result, 'output')}
${codes.length > 0 ? `<h3>Errors of its own</h3><ul>${codes.join('')}</ul>` : ''}</section>`;
}

const style = `body{font:16px/1.5 system-ui,sans-serif;margin:0;display:grid;grid-template-columns:18rem 1fr;color:#1b2733}
nav{position:sticky;top:0;height:100vh;overflow:auto;background:#f3f6f9;padding:1rem;box-sizing:border-box;font-size:.9rem}
nav a{display:block;color:inherit;text-decoration:none;padding:.15rem 0}nav a:hover{text-decoration:underline}
main{padding:1rem 2rem;max-width:60rem}section{border-top:1px solid #d7dfe7;padding:1rem 0}h2{font-size:1.15rem;font-family:ui-monospace,monospace}
h2 b{color:#0b6bcb}h3{font-size:.95rem;margin:1rem 0 .3rem}.facts{color:#5b6b7a;font-size:.85rem}
table{border-collapse:collapse;font-size:.9rem}td{border-bottom:1px solid #e5ebf0;padding:.25rem .8rem .25rem 0;vertical-align:top}`;

/** A page for people that lists a contract: no script, one file. */
export function docsPage(
  contract: Contract,
  { title, prefix }: { title: string; prefix: string },
): string {
  const named = Object.entries(contract).flatMap(([resource, endpoints]) =>
    Object.entries(endpoints).map(
      ([operation, endpoint]) => [`${resource}.${operation}`, endpoint] as const,
    ),
  );
  const links = named.map(([name, { route }]) => `<a href="#${name}">${escape(route)}</a>`);
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escape(title)}</title><style>${style}</style>
<nav><strong>${escape(title)}</strong>${links.join('')}</nav>
<main><h1>${escape(title)}</h1><p>Send parameters as form fields (or in the query), lists and objects as JSON text; log in with HTTP Basic: e-mail address and API key.
The same as <a href="openapi.json">OpenAPI 3.1</a>.</p>${named.map(([name, endpoint]) => section(name, endpoint, prefix)).join('\n')}</main></html>`;
}
