import type { PlannedPush } from './plan-push.ts';

/**
 * Refuses pushes beyond the quota of their device. `spend` returns the reason for each device, or
 * undefined.
 */
export async function limitPushes(
  plans: readonly PlannedPush[],
  spend: (deviceIds: readonly number[]) => Promise<(string | undefined)[]>,
): Promise<readonly PlannedPush[]> {
  const devices = plans.flatMap((plan) => ('push' in plan ? [plan.push.device.device_id] : []));
  const reasons = await spend(devices);
  if (reasons.every((reason) => reason === undefined)) return plans;
  let next = 0;
  return plans.map((plan) => {
    if (!('push' in plan)) return plan;
    const reason = reasons[next++];
    if (reason === undefined) return plan;
    const { id: push_id, kind: provider, device } = plan.push;
    const { device_id } = device;
    return {
      outcome: { push_id, device_id, provider, ...plan.remarks, outcome: 'refused', reason },
    };
  });
}
