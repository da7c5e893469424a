import type { Schema } from './openapi-document.ts';
import { limitText, typeText } from './schema-text.ts';

interface SchemaRowProps {
  readonly name: string;
  readonly schema: Schema;
  /** Notes beside the type. */
  readonly notes: readonly string[];
}

/** A parameter or a key of a result: its type, limits, default, feature level and meaning. */
export const SchemaRow = ({ name, schema, notes }: SchemaRowProps) => {
  const level = schema['x-feature-level'];
  const facts = [
    ...notes,
    limitText(schema),
    schema.default === undefined ? '' : `default: ${JSON.stringify(schema.default)}`,
    level === undefined ? '' : `since feature level ${level}`,
  ].filter(Boolean);
  return (
    <div>
      <dt>
        <code>{name}</code> <span class="schema-type">{typeText(schema)}</span>
      </dt>
      <dd>
        {facts.length > 0 && <span class="muted">{facts.join(' · ')}</span>}
        {schema.description !== undefined && <p>{schema.description}</p>}
      </dd>
    </div>
  );
};
