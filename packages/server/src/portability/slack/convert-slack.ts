import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { cutText, MAX_MESSAGE_LENGTH, MAX_REALM_NAME_LENGTH, VERSION } from '@bellhop/protocol';

import { builtInEmoji } from '../../emoji/built-in-emoji.ts';
import {
  FORM_VERSION,
  formFiles,
  type FormRecord,
  type Manifest,
  MESSAGES_PER_FILE,
  messagesFile,
  PortabilityError,
  type ReportProgress,
} from '../form.ts';
import { JsonFile, readList } from '../json-file.ts';
import { type ConvertedChannel, readChannels } from './slack-channels.ts';
import { type ConvertedPerson, SlackPeople, textIn } from './slack-people.ts';
import { convertText } from './slack-text.ts';

export interface SlackConversion {
  /** The folder of the export of Slack. */
  readonly from: string;
  /** The folder for the converted one, which is made. */
  readonly to: string;
  /** The name of the organization; without it that of the folder. */
  readonly name?: string;
  readonly progress: ReportProgress;
  readonly signal?: AbortSignal;
}

/** What of the export was not converted, or was changed: numbers by name. */
export type SlackFindings = Readonly<Record<string, number>>;

/** The topic of messages outside of threads. */
const TOPIC = 'imported from Slack';
const MAX_TOPIC_LENGTH = 60;
/** Flags of the form. */
const READ = 1;
const MENTIONED = 8;

/** Notices of Slack about a channel, which say nothing here. */
const skipped =
  /^(?:(?:channel|group|mpim)_(?:join|leave|name|archive|unarchive|posting_permissions|convert_to_\w+)|(?:un)?pinned_item|tombstone|reminder_add|bot_add|bot_remove)$/;

/**
 * Converts an export of a Slack workspace into the form of public exports. The same export gives the same
 * files, so that an import that was interrupted continues. A day is in memory, and the beginnings of threads.
 * Throws a PortabilityError for files in another form.
 */
export async function convertSlack(conversion: SlackConversion): Promise<SlackFindings> {
  const { from, to } = conversion;
  await mkdir(to, { recursive: true });
  const people = new SlackPeople();
  for await (const user of readList(join(from, 'users.json'))) people.add(user);
  if (people.all.length === 0) throw new PortabilityError('users.json of the export lists nobody.');
  const channels = await readChannels(from, people);
  if (channels.length === 0)
    throw new PortabilityError('channels.json is missing in the export, or lists no channel.');
  const writer = new SlackMessages(conversion, people, channels);
  await writer.write();
  await writeRealm(conversion, people, channels);
  const manifest: Manifest = {
    form: FORM_VERSION,
    server: `${VERSION}, converted from Slack`,
    url: 'https://slack.invalid',
    scope: 'all',
    exported_at: 0,
    is_read: true,
  };
  await writeFile(join(to, formFiles.manifest), JSON.stringify(manifest));
  return {
    'people without an address in the export': people.withoutAddress,
    'accounts with the address of another, now one': people.merged,
    ...writer.findings,
  };
}

interface DayMessage {
  readonly channel: ConvertedChannel;
  readonly message: FormRecord;
  /** Its time is its ID in Slack, unique in a channel. */
  readonly ts: string;
}

/** Writes the messages day by day, a thousand in a file. */
class SlackMessages {
  readonly #conversion: SlackConversion;
  readonly #people: SlackPeople;
  readonly #channels: readonly ConvertedChannel[];
  readonly #byId: ReadonlyMap<string, ConvertedChannel>;
  /** Topics of threads by channel and time of the first message. */
  readonly #threads = new Map<string, string>();
  readonly #topics = new Map<string, number>();
  #messages: FormRecord[] = [];
  #flags: FormRecord[] = [];
  #reactions: FormRecord[] = [];
  #files = 0;
  #count = 0;
  readonly findings: Record<string, number> = {};

  constructor(
    conversion: SlackConversion,
    people: SlackPeople,
    channels: readonly ConvertedChannel[],
  ) {
    this.#conversion = conversion;
    this.#people = people;
    this.#channels = channels;
    this.#byId = new Map(channels.map((channel) => [channel.slackId, channel]));
  }

  #note(name: string): void {
    this.findings[name] = (this.findings[name] ?? 0) + 1;
  }

  async write(): Promise<void> {
    const { signal } = this.#conversion;
    for (const day of await this.#days()) {
      signal?.throwIfAborted();
      const messages = await this.#messagesOf(day);
      for (const one of messages) {
        this.#add(one);
        if (this.#messages.length >= MESSAGES_PER_FILE) await this.#flush();
      }
    }
    await this.#flush();
  }

  /** The names of the files with messages, `2024-01-31.json`, in their order. */
  async #days(): Promise<string[]> {
    const days = new Set<string>();
    for (const { folder } of this.#channels)
      if (folder !== '')
        for (const name of await readdir(join(this.#conversion.from, folder)))
          if (/^\d{4}-\d{2}-\d{2}\.json$/.test(name)) days.add(name);
    return [...days].toSorted();
  }

  async #messagesOf(day: string): Promise<DayMessage[]> {
    const found: DayMessage[] = [];
    for (const channel of this.#channels) {
      if (channel.folder === '') continue;
      const path = join(this.#conversion.from, channel.folder, day);
      if (!(await stat(path).catch(() => undefined))) continue;
      for await (const message of readList(path)) {
        const ts = textIn(message, 'ts');
        if (!/^\d{1,12}(?:\.\d{1,9})?$/.test(ts))
          throw new PortabilityError(`${channel.folder}/${day} has a message without a time (ts).`);
        found.push({ channel, message, ts });
      }
    }
    return found.toSorted((a, b) => Number(a.ts) - Number(b.ts));
  }

  #add({ channel, message, ts }: DayMessage): void {
    const subtype = textIn(message, 'subtype');
    if (skipped.test(subtype) || message['hidden'] === true) return;
    const sender = this.#people.senderOf(message);
    if (!sender) return this.#note('messages of nobody, left out');
    const { content, mentioned } = this.#contentOf(message, subtype);
    if (content.trim() === '') return this.#note('messages without a text, left out');
    const id = ++this.#count;
    const edited = message['edited'] as FormRecord | undefined;
    const sent = Math.floor(Number(ts));
    this.#messages.push({
      id,
      sender: sender.id,
      recipient: channel.id,
      subject: channel.name === undefined ? '' : this.#topicOf(channel, message, content),
      content: cutText(content, MAX_MESSAGE_LENGTH, '\n[message truncated]'),
      rendered_content: null,
      date_sent: sent,
      sending_client: 1,
      edit_history: null,
      last_edit_time: edited ? Math.floor(Number(textIn(edited, 'ts'))) || null : null,
    });
    for (const user of mentioned)
      this.#flags.push({ user_profile: user, message: id, flags_mask: READ | MENTIONED });
    this.#addReactions(id, message);
  }

  #contentOf(
    message: FormRecord,
    subtype: string,
  ): { content: string; mentioned: readonly number[] } {
    const names = {
      user: (id: string): ConvertedPerson | undefined => this.#people.byId(id),
      channel: (id: string) => this.#byId.get(id)?.name,
    };
    const texts = [textIn(message, 'text'), ...attachedTexts(message)].filter(
      (text) => text !== '',
    );
    const { content, mentioned } = convertText(texts.join('\n\n'), names);
    const action = subtype === 'me_message' ? `/me ${content}` : content;
    const files = filesOf(message).map((file) => this.#linkOf(file));
    return { content: [action, ...files].filter((part) => part !== '').join('\n'), mentioned };
  }

  /** The export has no bytes of files: the message keeps a link to where they were. */
  #linkOf(file: FormRecord): string {
    this.#note('files, of which the export has only links');
    const name = (textIn(file, 'title') || textIn(file, 'name') || 'file').replaceAll(
      /[[\]]/g,
      ' ',
    );
    // Of the addresses, the one without a token to download it.
    const link = textIn(file, 'permalink') || textIn(file, 'url_private').replace(/\?.*$/s, '');
    return /^https?:\/\/[^\s()]+$/.test(link) ? `[${name}](${link})` : name;
  }

  /** A thread has a topic of its own; other messages share one. */
  #topicOf(channel: ConvertedChannel, message: FormRecord, content: string): string {
    const thread = textIn(message, 'thread_ts');
    const isAlone = thread === textIn(message, 'ts') && message['reply_count'] === 0;
    if (thread === '' || isAlone) return TOPIC;
    const key = `${channel.id} ${thread}`;
    const known = this.#threads.get(key);
    if (known !== undefined) return known;
    const date = new Date(Number(thread) * 1000).toISOString().slice(0, 10);
    const words = content
      .replaceAll(/@\*\*([^*|]+)\|\d+\*\*/g, '$1')
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replaceAll(/[*`~#>]|\p{C}/gu, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim();
    const begin = cutText(`${date} ${words}`, MAX_TOPIC_LENGTH - 5, '…');
    const same = `${channel.id} ${begin.toLowerCase()}`;
    const number = (this.#topics.get(same) ?? 0) + 1;
    this.#topics.set(same, number);
    const topic = number === 1 ? begin : `${begin} (${number})`;
    this.#threads.set(key, topic);
    return topic;
  }

  #addReactions(message: number, record: FormRecord): void {
    const reactions = Array.isArray(record['reactions'])
      ? (record['reactions'] as FormRecord[])
      : [];
    for (const reaction of reactions) {
      const name = textIn(reaction, 'name').replace(/::skin-tone-\d$/, '');
      const emoji = builtInEmoji(name);
      const users = Array.isArray(reaction['users']) ? (reaction['users'] as unknown[]) : [];
      for (const user of users) {
        const person = this.#people.byId(String(user));
        if (!emoji || !person) this.#note('reactions with emoji of the workspace, left out');
        else this.#reactions.push({ message, user_profile: person.id, emoji_name: name, ...emoji });
      }
    }
  }

  async #flush(): Promise<void> {
    if (this.#messages.length === 0) return;
    this.#files += 1;
    const file = await JsonFile.create(join(this.#conversion.to, messagesFile(this.#files)));
    await file.table('zerver_message', one(this.#messages));
    await file.table('zerver_usermessage', one(this.#flags));
    await file.table('zerver_reaction', one(this.#reactions));
    await file.end();
    this.#messages = [];
    this.#flags = [];
    this.#reactions = [];
    this.#conversion.progress({ what: 'messages converted', done: this.#count });
  }
}

async function* one<T>(page: T): AsyncGenerator<T> {
  yield page;
}

/** Texts of what bots attach to their messages. */
function attachedTexts(message: FormRecord): string[] {
  const attachments = Array.isArray(message['attachments'])
    ? (message['attachments'] as FormRecord[])
    : [];
  return attachments.flatMap((attachment) => {
    const title = textIn(attachment, 'title');
    const link = textIn(attachment, 'title_link');
    const body = textIn(attachment, 'text') || textIn(attachment, 'fallback');
    // An unfurled link repeats what the message links.
    if (textIn(attachment, 'from_url') !== '') return [];
    const head = link === '' ? title : `<${link}|${title || link}>`;
    return [head, body].filter((part) => part !== '').join('\n');
  });
}

function filesOf(message: FormRecord): FormRecord[] {
  const files = Array.isArray(message['files']) ? (message['files'] as FormRecord[]) : [];
  const [single] = [message['file']] as (FormRecord | undefined)[];
  return single ? [...files, single] : files;
}

async function writeRealm(
  { from, to, name }: SlackConversion,
  people: SlackPeople,
  channels: readonly ConvertedChannel[],
): Promise<void> {
  const file = await JsonFile.create(join(to, formFiles.realm));
  const named = channels.filter((channel) => channel.name !== undefined);
  const realmName = cutText(name ?? basename(from), MAX_REALM_NAME_LENGTH).trim();
  await file.table('zerver_realm', one([{ id: 1, name: realmName, description: '' }]));
  await file.table('zerver_client', one([{ id: 1, name: 'Slack' }]));
  await file.table('zerver_userprofile', one(people.all.map(({ record }) => record)));
  await file.table(
    'zerver_stream',
    one(named.map(({ record: { isDefault: _default, ...record } }) => record)),
  );
  await file.table(
    'zerver_defaultstream',
    one(named.filter(({ record }) => record['isDefault']).map(({ id }) => ({ id, stream: id }))),
  );
  await file.table(
    'zerver_recipient',
    one(channels.map(({ id, name: of }) => ({ id, type: of === undefined ? 3 : 2, type_id: id }))),
  );
  await file.table(
    'zerver_subscription',
    one(
      channels.flatMap(({ id, members }) =>
        members.map((user) => ({ user_profile: user, recipient: id, active: true })),
      ),
    ),
  );
  await file.end();
}
