import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

import {
  cutText,
  MAX_CHANNEL_DESCRIPTION_LENGTH,
  MAX_CHANNEL_NAME_LENGTH,
} from '@bellhop/protocol';

import type { FormRecord } from '../form.ts';
import { readList } from '../json-file.ts';
import { type SlackPeople, textIn } from './slack-people.ts';

/** A channel or a direct conversation of the converted export. */
export interface ConvertedChannel {
  /** The ID of its recipient; a channel has the same ID itself. */
  readonly id: number;
  /** Undefined for a direct conversation. */
  readonly name: string | undefined;
  /** The folder of its messages. */
  readonly folder: string;
  readonly slackId: string;
  /** IDs in the converted export. */
  readonly members: readonly number[];
  readonly record: FormRecord;
}

/** The files of a workspace, and what each lists. */
const lists = [
  { file: 'channels.json', isDirect: false, isPrivate: false },
  { file: 'groups.json', isDirect: false, isPrivate: true },
  { file: 'mpims.json', isDirect: true, isPrivate: true },
  { file: 'dms.json', isDirect: true, isPrivate: true },
] as const;

/** Channels and direct conversations, those of the files that the export has. */
export async function readChannels(
  folder: string,
  people: SlackPeople,
): Promise<ConvertedChannel[]> {
  const found: ConvertedChannel[] = [];
  const names = new Set<string>();
  for (const { file, isDirect, isPrivate } of lists) {
    const path = join(folder, file);
    if (!(await stat(path).catch(() => undefined))) continue;
    for await (const record of readList(path)) {
      const slackId = textIn(record, 'id');
      const given = textIn(record, 'name') || slackId;
      const name = isDirect ? undefined : freeName(given, names);
      const listed = Array.isArray(record['members']) ? (record['members'] as unknown[]) : [];
      const members = new Set(listed.flatMap((id) => people.byId(String(id))?.id ?? []));
      const inFolder = await folderOf(folder, [given, slackId]);
      const id = found.length + 1;
      found.push({
        id,
        name,
        folder: inFolder ?? '',
        slackId,
        members: [...members].toSorted((a, b) => a - b),
        record: channelRecord(record, { id, name: name ?? '', isPrivate }),
      });
    }
  }
  return found;
}

/** A name of limited length that no other channel has. */
function freeName(given: string, taken: Set<string>): string {
  for (let number = 1; ; number += 1) {
    const ending = number === 1 ? '' : ` ${number}`;
    const name = `${cutText(given, MAX_CHANNEL_NAME_LENGTH - ending.length)}${ending}`;
    if (taken.has(name.toLowerCase())) continue;
    taken.add(name.toLowerCase());
    return name;
  }
}

/** The folder of a channel has its name, that of a direct conversation its ID. */
async function folderOf(folder: string, names: readonly string[]): Promise<string | undefined> {
  const entries = await readdir(folder, { withFileTypes: true });
  const folders = new Set(entries.filter((entry) => entry.isDirectory()).map(({ name }) => name));
  return names.find((name) => folders.has(name));
}

interface ChannelNumbers {
  readonly id: number;
  readonly name: string;
  readonly isPrivate: boolean;
}

function channelRecord(record: FormRecord, { id, name, isPrivate }: ChannelNumbers): FormRecord {
  const value = (key: string) => textIn((record[key] ?? {}) as FormRecord, 'value').trim();
  const created = record['created'];
  return {
    id,
    name,
    description: cutText(value('purpose') || value('topic'), MAX_CHANNEL_DESCRIPTION_LENGTH),
    invite_only: isPrivate,
    history_public_to_subscribers: true,
    deactivated: record['is_archived'] === true,
    date_created: typeof created === 'number' ? created : 0,
    isDefault: record['is_general'] === true,
  };
}
