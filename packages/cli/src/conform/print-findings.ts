import { countOf, findingPrinter } from '@bellhop/bot-cli/command-line';
import type { Finding } from '@bellhop/push-conform';

/** Prints findings, with the section of docs/push/protocol.md if one is not ok. */
export const conformPrinter = (): ((finding: Finding) => void) =>
  findingPrinter({
    checkWidth: 72,
    adviceOf: ({ severity, section }) =>
      severity === 'fault' || severity === 'warning' ? `docs/push/protocol.md, ${section}` : '',
  });

/** Prints the counts, or all findings as JSON. Returns the exit code: 1 if there are faults, or only skips. */
export function reportFindings(findings: readonly Finding[], asJson: boolean): number {
  const faults = countOf(findings, 'fault');
  const isEmpty = countOf(findings, 'skipped') === findings.length;
  if (asJson) console.log(JSON.stringify(findings, null, 2));
  else
    console.log(
      `\n${findings.length} checks: ${countOf(findings, 'ok')} ok, ` +
        `${countOf(findings, 'warning')} warnings, ${faults} faults, ` +
        `${countOf(findings, 'skipped')} skipped. ` +
        (isEmpty ? 'Nothing was checked.' : faults === 0 ? 'It conforms.' : 'It does not conform.'),
    );
  return faults > 0 || isEmpty ? 1 : 0;
}
