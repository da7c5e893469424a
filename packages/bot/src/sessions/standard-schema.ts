/**
 * The part of Standard Schema (standardschema.dev, version 1) that the framework uses. Schemas of zod,
 * valibot, arktype and other libraries implement it.
 */
export interface StandardSchema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly output: Output } | undefined;
  };
}

export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

export interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** The output of a schema, or its issues, and a text for each with its path if it has one. */
export type SchemaResult<Output> =
  | { readonly value: Output; readonly problems?: undefined; readonly issues?: undefined }
  | { readonly problems: readonly string[]; readonly issues: readonly SchemaIssue[] };

export async function checkWith<Output>(
  schema: StandardSchema<Output>,
  value: unknown,
): Promise<SchemaResult<Output>> {
  const checked = await schema['~standard'].validate(value);
  if (checked.issues === undefined) return { value: checked.value };
  return { problems: checked.issues.map(issueText), issues: checked.issues };
}

function issueText({ message, path = [] }: SchemaIssue): string {
  const dottedPath = path
    .map((step) => String(typeof step === 'object' ? step.key : step))
    .join('.');
  return dottedPath === '' ? message : `${dottedPath}: ${message}`;
}
