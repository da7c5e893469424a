import { NameAndDescription } from '../frame/name-and-description.tsx';
import { Panel } from '../frame/panel.tsx';
import type { InspectorProps } from '../page.ts';
import { ArchiveChoice } from './archive-choice.tsx';
import { channelsOf } from './channels-of.ts';

/** A channel folder, which administrators rename, archive and take back. */
export function FolderPanel(props: InspectorProps) {
  const { account, state, rights, item } = props;
  const folder = state.channel_folders?.find(({ id }) => String(id) === item);
  if (!folder) return <Panel {...props} />;
  const channels = channelsOf(state).filter(({ folder_id }) => folder_id === folder.id);
  const { channelFolders } = account.client;
  const channel_folder_id = folder.id;
  return (
    <Panel {...props} title={folder.name}>
      <NameAndDescription
        of={folder}
        maxLength={{ name: 60, description: 1024 }}
        mayChange={rights.isAdmin}
        rename={(name) => channelFolders.update({ channel_folder_id, name })}
        describe={(description) => channelFolders.update({ channel_folder_id, description })}
      />
      <section class="org-entries">
        <h3>Channels</h3>
        <ul role="list">
          {channels.map(({ stream_id, name }) => (
            <li key={stream_id}>#{name}</li>
          ))}
        </ul>
      </section>
      {rights.isAdmin && (
        <ArchiveChoice
          isArchived={folder.is_archived}
          title={`Archive ${folder.name}?`}
          text="Folders that contain channels cannot be archived. Move the channels first."
          setArchived={(is_archived) => channelFolders.update({ channel_folder_id, is_archived })}
        />
      )}
    </Panel>
  );
}
