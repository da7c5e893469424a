import type { LiveAccount } from '../../live/live-account.ts';
import { strings } from '../strings.ts';

interface Field {
  readonly read: () => string;
  readonly write: (text: string) => void;
  readonly fail: (error: unknown) => void;
}

/** Uploads a file. The text shows a placeholder, which becomes the link after the upload. */
export async function uploadInto(account: LiveAccount, file: File, field: Field): Promise<void> {
  const waiting = `[${strings.uploading(plain(file.name))}]()`;
  const replace = (text: string) => field.write(field.read().replace(waiting, () => text));
  field.write(`${field.read()}${field.read() === '' ? '' : '\n'}${waiting}`);
  try {
    const { url, filename } = await account.client.uploads.create({}, { file });
    replace(`[${plain(filename)}](${url})`);
  } catch (error) {
    replace('');
    field.fail(error);
  }
}

/** A file name as the text of a link. */
const plain = (name: string) => name.replace(/[[\]\n]/g, ' ');
