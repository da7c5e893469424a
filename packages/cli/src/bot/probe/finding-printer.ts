import { styleText } from 'node:util';

import type { Finding, Severity } from '@bellhop/bot-probe';

const colors: Readonly<Record<Severity, 'green' | 'yellow' | 'red'>> = {
  ok: 'green',
  warning: 'yellow',
  fault: 'red',
};
const CHECK_WIDTH = 52;
const INDENT = ' '.repeat(10);

/** Prints findings under the name of their group. Leaves out advice that the finding before had too. */
export function findingPrinter(): (finding: Finding) => void {
  let lastGroup = '';
  let lastAdvice = '';
  return ({ group, check, happened, severity, advice }) => {
    if (group !== lastGroup) console.log(`\n${group}`);
    lastGroup = group;
    const colored = styleText(colors[severity], severity.padEnd(8));
    console.log(`  ${colored}${check.padEnd(CHECK_WIDTH)} ${happened}`);
    if (advice !== '' && advice !== lastAdvice) console.log(INDENT + styleText('dim', advice));
    if (advice !== '') lastAdvice = advice;
  };
}

/** Counts the findings, and says what a probe cannot see. */
export function summaryOf(findings: readonly Finding[]): string {
  const count = (wanted: Severity) => findings.filter(({ severity }) => severity === wanted).length;
  return (
    `${findings.length} checks: ${count('ok')} ok, ${count('warning')} warnings, ${count('fault')} faults. ` +
    'The probe cannot see what happens inside the bot, nor what it does by REST.'
  );
}
