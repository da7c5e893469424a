import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/**
 * Microseconds of processor time of a PostgreSQL server and its processes, ended ones included.
 * NaN where /proc does not exist.
 */
export function postgresTime(postmaster: number): number {
  if (process.platform !== 'linux') return Number.NaN;
  let ticks = 0;
  for (const pid of readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)) {
    const stat = statOf(pid);
    if (pid === postmaster) ticks += sum(stat.slice(FIRST_TIME, FIRST_TIME + 4));
    else if (stat[PARENT] === postmaster) ticks += sum(stat.slice(FIRST_TIME, FIRST_TIME + 2));
  }
  return (ticks / ticksPerSecond()) * 1e6;
}

/** Microseconds of processor time of a process without its children, on Linux. */
export const processTime = (pid: number): number =>
  (sum(statOf(pid).slice(FIRST_TIME, FIRST_TIME + 2)) / ticksPerSecond()) * 1e6;

// Fields after the name of the program, as proc_pid_stat(5) has them: parent, and user and system time
// of the process and then of its ended children.
const PARENT = 1;
const FIRST_TIME = 11;

/** Empty if the process has ended meanwhile. */
function statOf(pid: number): number[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
  } catch {
    return [];
  }
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

let known: number | undefined;
const ticksPerSecond = () =>
  (known ??= Number(execFileSync('getconf', ['CLK_TCK']).toString().trim()));
