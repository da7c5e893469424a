import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { root } from './source-files.ts';

/** A file or commands that the console shows for a bot. */
export interface ShownSnippet {
  readonly label: string;
  readonly text: string;
}

/**
 * Does what the console shows for a bot in an empty folder: writes the files and runs the commands, those for a
 * clone in this one. The packages of a project are those of the clone, in the place of `npm install`, which would
 * need the network. The last commands may run on: disposing ends them.
 */
export async function followSnippets(snippets: readonly ShownSnippet[]) {
  const directory = await mkdtemp(join(tmpdir(), 'bellhop-shown-'));
  const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env['PATH']}` };
  let output = '';
  const start = (commands: string, cwd: string) => {
    // In a group of its own: npm starts other processes.
    const child = spawn('bash', ['-euc', commands], { cwd, env, detached: true });
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    return child;
  };
  let last: ReturnType<typeof start> | undefined;
  for (const { label, text } of snippets) {
    if (/^[\w.]+$/.test(label)) await writeFile(join(directory, label), text);
    else if (label.includes('clone')) {
      const [code] = await once(start(text.replace(/\.\.\/\S+/, directory), root), 'exit');
      if (code !== 0) throw new Error(output);
      await symlink(join(root, 'node_modules'), join(directory, 'node_modules'), 'dir');
    } else last = start(text.replace(/^npm install$/m, ''), directory);
  }
  return {
    output: () => output,
    async [Symbol.asyncDispose]() {
      if (last?.pid !== undefined && last.exitCode === null) {
        process.kill(-last.pid, 'SIGTERM');
        await once(last, 'exit');
      }
      await rm(directory, { recursive: true, force: true });
    },
  };
}
