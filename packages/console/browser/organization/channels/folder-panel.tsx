import { Panel } from '../frame/panel.tsx';
import { SavedField } from '../frame/saved-field.tsx';
import type { InspectorProps } from '../page.ts';
import { ArchiveChoice } from './archive-choice.tsx';
import { channelsOf } from './channels-of.ts';
import { strings } from './strings.ts';

/** A channel folder, which administrators rename, archive and take back. */
export function FolderPanel({ account, state, rights, item }: InspectorProps) {
  const folder = state.channel_folders?.find(({ id }) => String(id) === item);
  if (!folder)
    return (
      <Panel title={strings.folders} page="folders" item={item}>
        <p class="muted">{strings.noSuchFolder}</p>
      </Panel>
    );
  const channels = channelsOf(state).filter(({ folder_id }) => folder_id === folder.id);
  type Changes = Omit<
    Parameters<typeof account.client.channelFolders.update>[0],
    'channel_folder_id'
  >;
  const update = (changes: Changes) =>
    account.client.channelFolders.update({ channel_folder_id: folder.id, ...changes });
  return (
    <Panel title={folder.name} page="folders" item={item}>
      {rights.isAdmin ? (
        <>
          <SavedField
            label={strings.name}
            kind={{ kind: 'text', maxLength: 60 }}
            value={folder.name}
            save={(name) => update({ name: String(name) })}
          />
          <SavedField
            label={strings.description}
            kind={{ kind: 'text', maxLength: 1024 }}
            value={folder.description}
            save={(description) => update({ description: String(description) })}
          />
        </>
      ) : (
        <p>{folder.description}</p>
      )}
      <section class="org-entries">
        <h3>{strings.channelsIn}</h3>
        <ul role="list">
          {channels.map(({ stream_id, name }) => (
            <li key={stream_id}>#{name}</li>
          ))}
        </ul>
      </section>
      {rights.isAdmin && (
        <ArchiveChoice
          isArchived={folder.is_archived}
          title={strings.archiveFolderTitle(folder.name)}
          text={strings.archiveFolderText}
          setArchived={(is_archived) => update({ is_archived })}
        />
      )}
    </Panel>
  );
}
