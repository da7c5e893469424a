import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';

import type { TokenKind } from '@bellhop/protocol/bouncer';

import type { FileEntry } from '../providers/provider-settings.ts';
import type { SenderConfig, SenderConfigs } from '../providers/sender-config.ts';
import { openSecrets } from '../settings/secret-source.ts';
import { parseYaml } from '../settings/yaml-with-lines.ts';
import { AppsFile } from './apps-file-schema.ts';
import { mergeEnvironments } from './merge-environments.ts';

interface ReadAppsFile {
  readonly senders: SenderConfigs;
  /**
   * The faults of the file, as `FILE:LINE: FIELD: fault`. With any fault, the senders are empty.
   */
  readonly problems: readonly string[];
}

const none: SenderConfigs = { apns: [], fcm: [], webpush: [] };

/**
 * Reads the file of the senders. A credential that cannot be read is no problem of the file: only its
 * sender is broken. `credentialsDirectory`: where systemd puts the credentials of a service.
 */
export function readAppsFile(path: string, credentialsDirectory: string | undefined): ReadAppsFile {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    return { senders: none, problems: [`BELLHOP_BOUNCER_APPS_FILE: ${(error as Error).message}`] };
  }
  const { value, lineOf, problems } = parseYaml(text);
  if (problems.length > 0)
    return { senders: none, problems: problems.map((problem) => `${path}:${problem}`) };
  const parsed = AppsFile.safeParse(value ?? {});
  if (!parsed.success)
    return {
      senders: none,
      problems: parsed.error.issues.map(({ path: field, message }) => {
        const where = fieldText(field);
        return `${path}:${lineOf(field)}: ${where === '' ? '' : `${where}: `}${message}`;
      }),
    };
  const secrets = openSecrets(dirname(path), credentialsDirectory);
  /** The senders of one provider. A secret that cannot be used breaks only its own. */
  const opened = <K extends TokenKind>(
    kind: K,
    entries: readonly FileEntry<K>[],
  ): readonly SenderConfig<K>[] =>
    entries.map(({ open }, index) =>
      open(secrets, (fault) => `${path}:${lineOf([kind, index])}: ${kind}[${index}]: ${fault}`),
    );
  const { apns, fcm, webpush } = parsed.data;
  return {
    senders: {
      apns: mergeEnvironments(opened('apns', apns)),
      fcm: withDefault(opened('fcm', fcm)),
      webpush: opened('webpush', webpush),
    },
    problems: [],
  };
}

/** The only project serves the phones that name no app, too. */
const withDefault = (senders: readonly SenderConfig<'fcm'>[]) =>
  senders.map((sender) => ({ ...sender, isDefault: sender.isDefault || senders.length === 1 }));

/** `apns[0].key_id` */
const fieldText = (path: readonly PropertyKey[]) =>
  path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`;
    return text === '' ? String(key) : `${text}.${String(key)}`;
  }, '');
