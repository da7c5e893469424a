import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface ProcessFacts {
  /** The name of its program, for example 'postgres'. */
  readonly name: string;
  /** Differs between processes with the same number. Unknown on Windows. */
  readonly startedAt?: string;
}

/** Undefined if no process has this number, or if it has ended and is a zombie. */
export async function processFacts(pid: number): Promise<ProcessFacts | undefined> {
  if (!exists(pid)) return undefined;
  if (process.platform === 'linux') return await fromProc(pid);
  if (process.platform === 'win32') return await fromTasklist(pid);
  return await fromPs(pid);
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

async function fromProc(pid: number): Promise<ProcessFacts | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (stat === undefined) return undefined;
  const end = stat.lastIndexOf(')');
  const fields = stat.slice(end + 2).split(' ');
  if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
  return {
    name: stat.slice(stat.indexOf('(') + 1, end),
    startedAt: `${boot.trim()}/${fields[19]}`,
  };
}

async function fromPs(pid: number): Promise<ProcessFacts | undefined> {
  const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' };
  const answer = await run('ps', ['-o', 'state=,lstart=,comm=', '-p', String(pid)], { env }).catch(
    () => undefined,
  );
  const [state, ...rest] = answer?.stdout.trim().split(/\s+/) ?? [];
  if (!state || state.startsWith('Z')) return undefined;
  return { startedAt: rest.slice(0, 5).join(' '), name: basename(rest.slice(5).join(' ')) };
}

async function fromTasklist(pid: number): Promise<ProcessFacts | undefined> {
  const { stdout } = await run('tasklist', ['/FI', `PID eq ${pid}`, '/FO', 'CSV', '/NH']);
  const name = /^"([^"]+?)(\.exe)?"/.exec(stdout.trim())?.[1];
  return name === undefined ? undefined : { name };
}
