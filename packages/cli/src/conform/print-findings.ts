import { styleText } from 'node:util';

import type { Finding, Severity } from '@bellhop/push-conform';

const colors: Readonly<Record<Severity, 'green' | 'yellow' | 'red' | 'dim'>> = {
  ok: 'green',
  warning: 'yellow',
  fault: 'red',
  skipped: 'dim',
};
const CHECK_WIDTH = 72;

/** Prints findings under the name of their group, with the section of docs/push/protocol.md if one is not ok. */
export function conformPrinter(): (finding: Finding) => void {
  let lastGroup = '';
  return ({ group, check, section, severity, happened }) => {
    if (group !== lastGroup) console.log(`\n${group}`);
    lastGroup = group;
    const colored = styleText(colors[severity], severity.padEnd(8));
    console.log(`  ${colored}${check.padEnd(CHECK_WIDTH)} ${happened}`);
    if (severity === 'fault' || severity === 'warning')
      console.log(styleText('dim', `          docs/push/protocol.md, ${section}`));
  };
}

/** Prints the counts, or all findings as JSON. Returns the exit code: 1 if there are faults. */
export function reportFindings(findings: readonly Finding[], asJson: boolean): number {
  const count = (wanted: Severity) => findings.filter(({ severity }) => severity === wanted).length;
  if (asJson) console.log(JSON.stringify(findings, null, 2));
  else
    console.log(
      `\n${findings.length} checks: ${count('ok')} ok, ${count('warning')} warnings, ` +
        `${count('fault')} faults, ${count('skipped')} skipped. ` +
        (count('fault') === 0 ? 'It conforms.' : 'It does not conform.'),
    );
  return count('fault') === 0 ? 0 : 1;
}
