import type { Finding } from '@bellhop/postgres';

const marks = { ok: 'ok  ', warning: 'WARN', failed: 'FAIL' } as const;

/** Prints what a doctor found. Returns the exit code: 1 if a check failed; warnings do not count. */
export function printDoctor(
  findings: readonly Finding[],
  { program, json }: { readonly program: 'server' | 'bouncer'; readonly json: boolean },
): number {
  for (const finding of findings) console.log(json ? JSON.stringify(finding) : lineOf(finding));
  const count = findings.filter(({ state }) => state === 'failed').length;
  if (!json) console.log(count === 0 ? `The ${program} can run.` : `Checks that failed: ${count}.`);
  return count === 0 ? 0 : 1;
}

const lineOf = ({ check, state, detail, fix }: Finding) =>
  [`${marks[state]}  ${check}: ${detail}`, ...(fix === undefined ? [] : [`      ${fix}`])].join(
    '\n',
  );
