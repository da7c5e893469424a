import type { DeliveryReport, Failure, Warning } from '../hooks.ts';

/** Hooks that record their arguments. */
export function recordingHooks() {
  const reports: DeliveryReport[] = [];
  const failures: Failure[] = [];
  const warnings: Warning[] = [];
  const hooks = {
    onDelivery: (report: DeliveryReport) => void reports.push(report),
    onError: (failure: Failure) => void failures.push(failure),
    onWarning: (warning: Warning) => void warnings.push(warning),
  };
  return { hooks, reports, failures, warnings };
}
