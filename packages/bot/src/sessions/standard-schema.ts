/**
 * What is used of a Standard Schema (standardschema.dev, version 1), which zod, valibot, arktype
 * and others make: described here so that a bot brings the library it likes.
 */
export interface StandardSchema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => Checked<Output> | Promise<Checked<Output>>;
    readonly types?: { readonly output: Output } | undefined;
  };
}

type Checked<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** The checked value, or what is wrong with it in words, each with its place where it has one. */
export type SchemaResult<Output> =
  | { readonly value: Output; readonly problems?: undefined }
  | { readonly problems: readonly string[] };

export async function checkWith<Output>(
  schema: StandardSchema<Output>,
  value: unknown,
): Promise<SchemaResult<Output>> {
  const checked = await schema['~standard'].validate(value);
  if (checked.issues === undefined) return { value: checked.value };
  return { problems: checked.issues.map(inWords) };
}

function inWords({ message, path = [] }: SchemaIssue): string {
  const place = path.map((step) => String(typeof step === 'object' ? step.key : step)).join('.');
  return place === '' ? message : `${place}: ${message}`;
}
