import { styleText } from 'node:util';

const colors = { ok: 'green', warning: 'yellow', fault: 'red', skipped: 'dim' } as const;
export type Severity = keyof typeof colors;
const INDENT = ' '.repeat(10);

/** A finding of one check. */
export interface PrintedFinding {
  readonly group: string;
  readonly check: string;
  readonly severity: Severity;
  readonly happened: string;
}

export interface PrinterOptions<Finding> {
  /** Characters of the column of the checks. */
  readonly checkWidth: number;
  /** A line below the finding; '' for none. It is left out if the last one was the same. */
  readonly adviceOf: (finding: Finding) => string;
}

/** Prints findings as they come, under the names of their groups. */
export function findingPrinter<Finding extends PrintedFinding>({
  checkWidth,
  adviceOf,
}: PrinterOptions<Finding>): (finding: Finding) => void {
  let lastGroup = '';
  let lastAdvice = '';
  return (finding) => {
    const { group, check, severity, happened } = finding;
    if (group !== lastGroup) console.log(`\n${group}`);
    lastGroup = group;
    const colored = styleText(colors[severity], severity.padEnd(8));
    console.log(`  ${colored}${check.padEnd(checkWidth)} ${happened}`);
    const advice = adviceOf(finding);
    if (advice !== '' && advice !== lastAdvice) console.log(INDENT + styleText('dim', advice));
    if (advice !== '') lastAdvice = advice;
  };
}

export const countOf = (findings: readonly PrintedFinding[], wanted: Severity): number =>
  findings.filter(({ severity }) => severity === wanted).length;
