import type { DeliveryInfo, Hooks } from '../hooks.ts';

/** Combines hooks into one. They are called in order, and the first `around` is the outermost. */
export function combineHooks(...all: readonly Hooks[]): Hooks {
  const errors = all.flatMap(({ onError }) => onError ?? []);
  const warnings = all.flatMap(({ onWarning }) => onWarning ?? []);
  const deliveries = all.flatMap(({ onDelivery }) => onDelivery ?? []);
  const arounds = all.flatMap(({ around }) => around ?? []);
  return {
    ...(errors.length > 0 ? { onError: (failure) => callAll(errors, failure) } : {}),
    ...(warnings.length > 0 ? { onWarning: (warning) => callAll(warnings, warning) } : {}),
    ...(deliveries.length > 0 ? { onDelivery: (report) => callAll(deliveries, report) } : {}),
    ...(arounds.length > 0
      ? {
          around: <T>(about: DeliveryInfo, run: () => Promise<T>) =>
            arounds.reduceRight<() => Promise<T>>(
              (inner, around) => () => around(about, inner),
              run,
            )(),
        }
      : {}),
  };
}

/** Calls all hooks, even if some throw. Then throws their errors as one AggregateError. */
function callAll<T>(hooks: readonly ((about: T) => void)[], about: T): void {
  const failures: unknown[] = [];
  for (const hook of hooks)
    try {
      hook(about);
    } catch (error) {
      failures.push(error);
    }
  if (failures.length > 0) throw new AggregateError(failures, 'Hooks failed');
}
