import { badRequest } from '@bellhop/protocol';

import type { Db } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import type { LinkableChannel } from '../../markdown/directory.ts';
import { mentionNames } from '../../markdown/mention-names.ts';
import { type Rendered, renderMarkdown } from '../../markdown/render-markdown.ts';
import { linkableChannels } from '../channels/readable-channels.ts';
import { settingsOf as realmSettingsOf } from '../realms/realm-settings.ts';
import * as userGroups from '../user-groups/queries.ts';
import { visibleAmong } from '../users/access.ts';
import * as users from '../users/queries.ts';
import { settingOf } from '../users/user-settings.ts';

/** Rendered content with the users it mentions and the members of the groups it mentions. */
export interface RenderedContent extends Rendered {
  readonly mentioned_users: readonly User[];
  readonly group_member_ids: readonly number[];
}
const noMentions = { mentioned_users: [], group_member_ids: [] } as const;

/** The users and channels that a notice of the server may mention and link. */
export interface NoticeNames {
  readonly users: readonly User[];
  readonly channels: readonly LinkableChannel[];
  readonly groups?: readonly { readonly id: number; readonly name: string }[];
}

interface Markdown {
  readonly realm: Realm;
  readonly sender: Pick<User, 'settings'>;
  readonly content: string;
  readonly in_channel: boolean;
  readonly resolves?: NoticeNames | undefined;
}

/** Renders Markdown without names, for which nothing has to be looked up. Undefined if it has names. */
export function renderWithoutNames(markdown: Markdown): RenderedContent | undefined {
  const { content } = markdown;
  if (Object.values(mentionNames(content)).some(({ size }) => size > 0)) return undefined;
  return { ...renderMarkdown(content, settingsOf(markdown)), ...noMentions };
}

/** A notice mentions no wildcard. */
const settingsOf = ({ realm, sender, in_channel, resolves }: Markdown) => ({
  realmHost: new URL(realm.url).host,
  wildcards: (['channel', 'topic'] as const).filter(
    (wildcard) => !resolves && (in_channel || wildcard === 'channel'),
  ),
  linkifiers: realm.linkifiers,
  customEmoji: realm.emoji,
  translatesEmoticons: settingOf('translate_emoticons', { user: sender }),
  defaultLanguage: realmSettingsOf(realm).default_code_block_language,
  previewsImages: realmSettingsOf(realm).inline_image_preview,
});

interface SentMarkdown extends Markdown {
  readonly sender: User;
  /** True for a preview, which notifies nobody: every group may be mentioned. */
  readonly isPreview?: boolean;
}

/**
 * Looks up the names in Markdown and renders it; with `resolves`, only those names are known. Throws
 * BAD_REQUEST for a group that the sender may not mention.
 */
export async function renderContent(db: Db, markdown: SentMarkdown): Promise<RenderedContent> {
  const plain = renderWithoutNames(markdown);
  if (plain) return plain;
  const { realm, sender, content, resolves } = markdown;
  if (resolves)
    return { ...renderMarkdown(content, { ...settingsOf(markdown), ...resolves }), ...noMentions };
  const names = mentionNames(content);
  const lookUp = async <Name, Row>(
    wanted: ReadonlySet<Name>,
    find: (wanted: Name[]) => Promise<Row[]>,
  ) => (wanted.size === 0 ? [] : await find([...wanted]));
  const [byName, byId, groups, linkable] = await Promise.all([
    lookUp(names.user_names, (wanted) => users.byFullNames(db, realm.id, wanted)),
    lookUp(names.user_ids, (wanted) => users.byIds(db, realm.id, wanted)),
    lookUp(names.group_names, (wanted) => userGroups.byNames(db, realm.id, wanted)),
    lookUp(names.channel_names, (wanted) => linkableChannels(db, sender, wanted)),
  ]);
  const named = [...new Map([...byName, ...byId].map((user) => [user.id, user])).values()];
  const people = await visibleAmong(db, { realm, viewer: sender }, named);
  const rendered = renderMarkdown(content, {
    ...settingsOf(markdown),
    users: people,
    groups: groups.map(({ id, name, deactivated }) => ({ id, name: name ?? '', deactivated })),
    channels: linkable,
  });
  const mentioned = new Set(rendered.mentioned_user_ids);
  const groupIds = new Set(rendered.mentioned_group_ids);
  const mentionedGroups = groups.filter(({ id }) => groupIds.has(id));
  if (mentionedGroups.length > 0 && !markdown.isPreview) {
    const own = await userGroups.groupsOf(db, sender);
    for (const { name, can_mention_group } of mentionedGroups)
      if (!(can_mention_group && own.has(can_mention_group)))
        throw badRequest(`You are not allowed to mention user group '${name}'.`);
  }
  return {
    ...rendered,
    mentioned_users: people.filter(({ id }) => mentioned.has(id)),
    group_member_ids:
      mentionedGroups.length === 0
        ? []
        : await userGroups.membersOf(
            db,
            realm.id,
            mentionedGroups.map(({ id }) => id),
          ),
  };
}
