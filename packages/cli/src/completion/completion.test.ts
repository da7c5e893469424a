import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { runBellhop } from '../run-bellhop.fixture.ts';

const program = fileURLToPath(new URL('../../bin/bellhop.js', import.meta.url));

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'bellhop-completion-'));
  for (const file of ['bot.ts', 'notes.md', 'message.json'])
    await writeFile(join(directory, file), '');
  await mkdir(join(directory, 'bin'));
  const command = join(directory, 'bin', 'bellhop');
  await writeFile(command, `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
  await chmod(command, 0o755);
});
afterAll(() => rm(directory, { recursive: true }));

/** Presses Tab in bash behind each line; returns the proposals. */
async function completeInBash(lines: readonly string[]): Promise<string[][]> {
  const press = lines.map((line) => {
    const words = ['bellhop', ...line.split(' ')];
    return `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}) COMP_CWORD=${words.length - 1}
COMP_LINE='bellhop ${line}' COMP_POINT=${`bellhop ${line}`.length} COMPREPLY=()
$complete bellhop; echo "\${COMPREPLY[*]}"`;
  });
  const script = `source <(bellhop completion bash)
complete=$(complete -p bellhop | sed 's/.* -F \\([^ ]*\\).*/\\1/')
${press.join('\n')}`;
  const path = [join(directory, 'bin'), process.env['PATH']].join(delimiter);
  const { stdout } = await promisify(execFile)('bash', ['--norc', '--noprofile', '-c', script], {
    cwd: directory,
    env: { ...process.env, PATH: path },
  });
  return stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split(' ').filter(Boolean));
}

test('bash completes commands, options, values and files', async () => {
  const proposals = await completeInBash([
    'sa',
    'bot ',
    'bot new --t',
    'bot new x --template d',
    'bot chat ',
    'bot receive ',
    'completion ',
    'nope ',
  ]);
  expect(proposals.map((words) => words.toSorted())).toEqual([
    ['sandbox'],
    ['chat', 'deliveries', 'dev', 'fake-server', 'new', 'receive', 'replay'],
    ['--template'],
    ['dialog'],
    ['bin/', 'bot.ts'],
    ['bin/', 'message.json'],
    ['bash', 'fish', 'zsh'],
    [],
  ]);
});

test.each(['bash', 'zsh', 'fish'])('the script for %s asks bellhop complete', async (shell) => {
  const { code, out } = await runBellhop('completion', shell);
  expect(code).toBe(0);
  expect(out).toMatch(new RegExp(`bellhop complete ${shell} -- `));
});

test('zsh and fish get proposals with descriptions', async () => {
  const zsh = await runBellhop('complete', 'zsh', '--', 'secr');
  expect(zsh.out).toBe('secrets:Print new secrets for a server and a bouncer\n');
  const fish = await runBellhop('complete', 'fish', '--', 'bot', 'dev');
  expect(fish.out).toBe('dev\tRun a bot while you write it, through the event queue\n');
});

test('an unknown shell is a usage error', async () => {
  const { code, err } = await runBellhop('completion', 'cmd');
  expect(code).toBe(2);
  expect(err).toMatch(/^"cmd" is no shell: write one of bash, zsh, fish\./);
});
