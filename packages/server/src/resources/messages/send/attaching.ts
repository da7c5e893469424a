import type { Change } from '../../../engine/call.ts';
import { attachUploads } from '../../uploads/attach-uploads.ts';
import type { Composed } from './render-message.ts';

/** Attaches the uploads that a message links and its sender may see; false if there is none. */
export type Attach = (composed: Composed) => Promise<boolean>;

export const attaching =
  (change: Pick<Change<'attachment'>, 'db' | 'emit'>): Attach =>
  async ({ draft, message, mentioned }) => {
    const { realm, sender: user, now } = draft;
    const linking = { realm, user, message, paths: mentioned.attachment_paths, now };
    return (await attachUploads(change, linking)).has_attachment;
  };
