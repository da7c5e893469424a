import { z } from 'zod';

/** The parts of a JSON Schema that the page shows. */
interface Field {
  readonly type?: string | string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: unknown[];
  readonly const?: unknown;
  readonly anyOf?: Field[];
  readonly oneOf?: Field[];
  readonly items?: Field;
  readonly properties?: Record<string, Field>;
  readonly required?: string[];
  readonly $ref?: string;
  readonly $defs?: Record<string, Field>;
}

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** The type of a schema as short HTML: `integer[]`, `"start" | "stop"`, a link to `Message`. */
function typeName(field: Field): string {
  const { $ref, type = 'any', items } = field;
  if ($ref) {
    const name = $ref.split('/').at(-1) ?? '';
    return `<a href="#shape-${name}">${name}</a>`;
  }
  if (field.const !== undefined) return escapeHtml(JSON.stringify(field.const));
  if (field.enum) return field.enum.map((value) => escapeHtml(JSON.stringify(value))).join(' | ');
  if (field.properties) return escapeHtml(`{ ${Object.keys(field.properties).join(', ')} }`);
  const options = field.anyOf ?? field.oneOf;
  if (options) return [...new Set(options.map(typeName))].join(' | ');
  if (type !== 'array') return Array.isArray(type) ? type.join(' | ') : type;
  const of = items ? typeName(items) : 'any';
  return of.includes(' | ') ? `(${of})[]` : `${of}[]`;
}

/** Tables with more rows are folded. */
const MAX_UNFOLDED_ROWS = 25;

/** Renders the schemas of one page, and collects the named schemas that they refer to. */
export function schemaTables() {
  const shapes = new Map<string, Field>();

  const rows = ({ properties = {}, required = [] }: Field, io: 'input' | 'output'): string => {
    const lines = Object.entries(properties).map(([name, field]) => {
      const notes = [
        required.includes(name) ? (io === 'input' ? 'required' : '') : 'optional',
        field.default === undefined ? '' : `default ${JSON.stringify(field.default)}`,
        field.description ?? '',
      ];
      const note = escapeHtml(notes.filter(Boolean).join('; '));
      return `<tr><td><code>${escapeHtml(name)}</code><td class="type">${typeName(field)}<td>${note}`;
    });
    const table = `<table>${lines.join('')}</table>`;
    if (lines.length === 0) return '<p>None.</p>';
    return lines.length > MAX_UNFOLDED_ROWS
      ? `<details><summary>${lines.length} fields</summary>${table}</details>`
      : table;
  };

  return {
    /** The fields of an object as a table. */
    table(schema: z.ZodObject, io: 'input' | 'output'): string {
      const { $defs = {}, ...object } = z.toJSONSchema(schema, {
        io,
        unrepresentable: 'any',
        override: ({ zodSchema, jsonSchema }) => {
          if (zodSchema._zod.def.type === 'bigint') jsonSchema.type = 'integer';
        },
      }) as Field;
      for (const [name, shape] of Object.entries($defs)) shapes.set(name, shape);
      return rows(object, io);
    },
    /** Sections of all named schemas that the tables so far refer to. */
    shapes: (): string =>
      [...shapes]
        .sort(([a], [b]) => a.localeCompare(b))
        .map(
          ([name, shape]) =>
            `<section id="shape-${name}"><h2>${name}</h2>${shape.properties ? rows(shape, 'output') : `<p class="type">${typeName(shape)}</p>`}</section>`,
        )
        .join('\n'),
  };
}
