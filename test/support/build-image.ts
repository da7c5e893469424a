import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join, matchesGlob, relative } from 'node:path';

/** An image as folders and variables. */
interface Image {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly command: readonly string[];
}

/**
 * Follows the Dockerfile of a project, with each stage as a folder in `place`: copies what `.dockerignore` lets
 * through, and runs the commands as this user. Knows only the instructions that such a Dockerfile has.
 */
export function buildImage(project: string, place: string): Image {
  const text = (file: string) => readFileSync(join(project, file), 'utf8');
  const ignored = text('.dockerignore').trim().split('\n');
  const isIgnored = (path: string) =>
    ignored.some((pattern) => matchesGlob(path, pattern.replace(/\/$/, '')));
  const stages = new Map<string, string>();
  const env: Record<string, string> = {};
  let folder = '';
  let command: string[] = [];
  for (const line of text('Dockerfile').split('\n')) {
    const [, word = '', rest = ''] = /^([A-Z]+) (.*)/.exec(line) ?? [];
    const words = rest.split(' ');
    if (word === 'FROM') {
      folder = join(place, words[2] ?? 'image');
      stages.set(words[2] ?? '', folder);
      mkdirSync(folder);
    } else if (word === 'COPY' && words[0]?.startsWith('--from=')) {
      cpSync(stages.get(words[0].slice('--from='.length)) ?? '', folder, { recursive: true });
    } else if (word === 'COPY') {
      const to = join(folder, words.at(-1) ?? '');
      for (const from of words.slice(0, -1)) {
        const isFolder = from === '.' || from.endsWith('/');
        cpSync(join(project, from), isFolder ? to : join(to, from), {
          recursive: true,
          filter: (path) => !isIgnored(relative(project, path)),
        });
      }
    } else if (word === 'RUN') {
      // There may be no such user here.
      execFileSync('bash', ['-euc', rest.replace('-o node', '')], { cwd: folder });
    } else if (word === 'ENV') {
      Object.assign(env, Object.fromEntries(words.map((one) => one.split('='))));
    } else if (word === 'CMD') command = JSON.parse(rest) as string[];
    else if (word !== '' && !['WORKDIR', 'USER', 'EXPOSE'].includes(word))
      throw new Error(`buildImage does not know ${line}`);
  }
  return { folder, env, command };
}
