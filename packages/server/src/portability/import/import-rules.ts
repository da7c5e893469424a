import { checkLinkifier } from '../../model/linkifiers/check-linkifier.ts';
import { flagOf, idOf, numberOf, requiredId, textOf } from '../form-fields.ts';
import type { FormRecord } from '../form.ts';
import type { Importing, Piece } from './importing.ts';
import { flag, type NewRow, small, text } from './insert-rows.ts';

const MAX_TEXT = 10_000;

const fields = {
  table: 'custom_profile_field',
  kind: 'field',
  columns: {
    name: text,
    hint: text,
    field_type: small,
    field_data: text,
    field_order: small,
    display_in_profile_summary: flag,
    required: flag,
    editable_by_user: flag,
  },
} as const;
const domains = {
  table: 'realm_domain',
  columns: { domain: text, allow_subdomains: flag },
} as const;
const linkifiers = {
  table: 'linkifier',
  columns: { position: small, pattern: text, url_template: text },
} as const;
const playgrounds = {
  table: 'playground',
  columns: { name: text, highlighter_language: text, url_template: text },
} as const;

/** Domains, linkifiers, playgrounds and the fields of profiles. */
export async function importRules(importing: Importing, piece: Piece): Promise<void> {
  const tables = [
    'zerver_realmdomain',
    'zerver_realmfilter',
    'zerver_realmplayground',
    'zerver_customprofilefield',
  ];
  for await (const batch of importing.tables(tables))
    for (const { table, record } of batch) {
      const say = (name: string, most: number) => textOf(table, record, name, most);
      if (table === 'zerver_realmdomain') {
        const allow_subdomains = flagOf(record, 'allow_subdomains', false);
        await piece.insert('domains', domains, [
          { domain: say('domain', 255).toLowerCase(), allow_subdomains },
        ]);
      } else if (table === 'zerver_realmfilter') {
        const pattern = say('pattern', 1000);
        const url_template = say('url_template', 2048);
        const position = numberOf(record, 'order') ?? idOf(record, 'id') ?? 0;
        // A pattern that this server cannot run would be a message's fault later.
        if (!isUsable({ pattern, url_template })) piece.count('linkifiers left out', 1);
        else await piece.insert('linkifiers', linkifiers, [{ position, pattern, url_template }]);
      } else if (table === 'zerver_realmplayground')
        await piece.insert('playgrounds', playgrounds, [
          {
            name: say('name', 1000),
            highlighter_language: say('pygments_language', 100),
            url_template: say('url_template', 2048),
          },
        ]);
      else await piece.insert('profile fields', fields, [fieldRow(table, record)]);
    }
}

function isUsable(rule: { pattern: string; url_template: string }): boolean {
  try {
    checkLinkifier(rule, []);
    return true;
  } catch {
    return false;
  }
}

const fieldRow = (table: string, record: FormRecord): NewRow => ({
  former_id: requiredId(table, record, 'id'),
  name: textOf(table, record, 'name', 40).trim(),
  hint: textOf(table, record, 'hint', 80),
  field_type: numberOf(record, 'field_type') ?? 1,
  field_data: fieldData(textOf(table, record, 'field_data', MAX_TEXT)),
  field_order: numberOf(record, 'order') ?? 0,
  display_in_profile_summary: flagOf(record, 'display_in_profile_summary', false),
  required: flagOf(record, 'required', false),
  editable_by_user: flagOf(record, 'editable_by_user', true),
});

/** The options of a field, as JSON text; empty for a field without any. */
function fieldData(text: string): string {
  try {
    return typeof JSON.parse(text) === 'object' ? text : '';
  } catch {
    return '';
  }
}
