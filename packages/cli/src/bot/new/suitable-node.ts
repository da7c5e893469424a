import { execFile } from 'node:child_process';
import { delimiter } from 'node:path';
import { promisify } from 'node:util';

/** Major and minor version. */
export const oldestNode = [24, 2] as const;

/**
 * Whether a shell outside of any project finds a Node that runs a bot: then the project brings none, which
 * takes 190 MB. The Node that runs this program may be that of a clone.
 */
export async function hasSuitableNode(env: NodeJS.ProcessEnv = process.env): Promise<boolean> {
  const folders = (env['PATH'] ?? '').split(delimiter);
  const PATH = folders.filter((folder) => !folder.includes('node_modules')).join(delimiter);
  const version = await promisify(execFile)('node', ['--version'], { env: { ...env, PATH } }).then(
    ({ stdout }) => stdout,
    () => '',
  );
  const [major = 0, minor = 0] = (/^v(\d+)\.(\d+)/.exec(version) ?? []).slice(1).map(Number);
  const [oldest, oldestMinor] = oldestNode;
  return major > oldest || (major === oldest && minor >= oldestMinor);
}
