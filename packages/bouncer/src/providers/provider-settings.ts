import type { TokenKind } from '@bellhop/protocol/bouncer';
import { z } from 'zod';

import { faultOf, fieldVariables, variablesOf } from '../settings/entry-fields.ts';
import { hasOneSource, type ReadSecret, secretFields } from '../settings/secret-source.ts';
import type { VariableReader } from '../settings/variable-reader.ts';
import type { Variable } from '../settings/variable.ts';
import type { PushEnvironment } from '../storage/tables.ts';
import type { ProviderConfigs } from './provider-configs.ts';
import type { SenderConfig } from './sender-config.ts';

/** What of a sender is known before its secret is read. */
interface SenderFacts {
  readonly name: string;
  readonly apps: readonly string[] | undefined;
  readonly isDefault: boolean;
  readonly environments: readonly PushEnvironment[];
}

/** An entry of the apps file. */
export interface FileEntry<K extends TokenKind> extends SenderFacts {
  /** `describe` makes the fault of a secret that cannot be used: it breaks only this sender. */
  readonly open: (readSecret: ReadSecret, describe: (fault: string) => string) => SenderConfig<K>;
}

/** How the operator configures a provider: the same by variables and by the apps file. */
export interface ProviderSettings<K extends TokenKind> {
  /** The variables of its only sender, of a bouncer without an apps file. */
  readonly variables: Readonly<Record<string, Variable>>;
  /** The variable without which the provider is not configured. */
  readonly credential: string;
  /** Reads the variables. Undefined if the secret is not set, or if something is wrong. */
  readonly fromVariables: (reader: VariableReader) => SenderConfig<K> | undefined;
  /** An entry of the apps file. */
  readonly entry: z.ZodType<FileEntry<K>>;
}

type Fields<S extends z.ZodObject> = z.output<S>;

interface DeclaredSettings<K extends TokenKind, S extends z.ZodObject> {
  /** The fields of an entry. Those with `env` are variables, too. */
  readonly entry: S;
  /** The secret among the fields: in the apps file `NAME_file` or `NAME_credential` says where it is. */
  readonly secret: string & keyof Fields<S>;
  /** What a fault of the secret begins with. */
  readonly secretTitle: string;
  /** Reports what is wrong with the fields together. */
  readonly check?: (fields: Fields<S>, report: (field: string, fault: string) => void) => void;
  /** `source` names the secret. */
  readonly facts: (fields: Fields<S>, source: string) => SenderFacts;
  readonly configOf: (
    fields: Fields<S>,
    environment: PushEnvironment,
    source: 'variables' | 'file',
  ) => ProviderConfigs[K];
}

export function providerSettings<K extends TokenKind, S extends z.ZodObject>(
  declared: DeclaredSettings<K, S>,
): ProviderSettings<K> {
  const { entry, secret, secretTitle, check, facts, configOf } = declared;
  const [, { env: credential } = { env: '' }] =
    fieldVariables(entry).find(([name]) => name === secret) ?? [];
  const senderOf = (
    { environments, ...sender }: SenderFacts,
    stateOf: (environment: PushEnvironment) => { config: ProviderConfigs[K] } | { fault: string },
  ): SenderConfig<K> => ({
    ...sender,
    environments: environments.map((environment) => ({ environment, ...stateOf(environment) })),
  });
  return {
    variables: variablesOf(entry),
    credential,
    fromVariables(reader) {
      const fields = reader.entry(entry, secret);
      if (!fields) return undefined;
      const sole = { ...facts(fields, ''), name: 'default', isDefault: true };
      return senderOf(sole, (environment) => ({
        config: configOf(fields, environment, 'variables'),
      }));
    },
    entry: inFile(entry, secret)
      .superRefine((fields, context) =>
        check?.(fields as Fields<S>, (field, message) =>
          context.addIssue({ code: 'custom', path: [field], message }),
        ),
      )
      .refine((fields) => hasOneSource(sourceIn(fields, secret)), {
        error: `needs either ${secret}_file or ${secret}_credential`,
      })
      .transform((fields): FileEntry<K> => {
        const source = sourceIn(fields, secret);
        const known = facts(fields as Fields<S>, source.credential ?? source.file ?? '');
        return {
          ...known,
          open(readSecret, describe) {
            try {
              const value = parseSecret(entry.shape[secret] as z.ZodType, readSecret(source));
              const complete = { ...fields, [secret]: value } as Fields<S>;
              return senderOf(known, (environment) => ({
                config: configOf(complete, environment, 'file'),
              }));
            } catch (error) {
              const fault = describe(`${secretTitle} ${(error as Error).message}`);
              return senderOf(known, () => ({ fault }));
            }
          },
        };
      }),
  };
}

/** The entry as the apps file has it: without the secret, but with its place. */
const inFile = (entry: z.ZodObject, secret: string) =>
  z.strictObject(
    Object.fromEntries(
      Object.entries(entry.shape).flatMap(([name, field]) =>
        name === secret
          ? [
              [`${secret}_file`, secretFields.file],
              [`${secret}_credential`, secretFields.credential],
            ]
          : [[name, field]],
      ),
    ),
  );

const sourceIn = (fields: Readonly<Record<string, unknown>>, secret: string) => ({
  file: fields[`${secret}_file`] as string | undefined,
  credential: fields[`${secret}_credential`] as string | undefined,
});

function parseSecret(schema: z.ZodType, text: string): unknown {
  const parsed = schema.safeParse(text);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(issue && faultOf(issue));
}

const distinct = (items: readonly string[]) => new Set(items).size === items.length;

/** The fields of an entry that name its apps and the sender. */
export const SenderName = z
  .string()
  .min(1, 'must not be empty')
  .max(60, 'must have 60 characters or fewer');
export const listOfApps = (app: z.ZodType<string>) =>
  z
    .array(app)
    .min(1, 'must list an app: without apps, the entry serves all that no other entry lists')
    .max(
      1_000,
      'lists more than 1000 apps: without apps, the entry serves all that no other entry lists',
    )
    .refine(distinct, 'lists an app twice')
    .optional();
