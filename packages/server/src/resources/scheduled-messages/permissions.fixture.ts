import type { PermissionCases } from '../../permission-case.fixture.ts';
import { sendingCases } from '../messages/permissions.fixture.ts';

export const permissions: PermissionCases = sendingCases('POST /scheduled_messages', {
  // In the year 2100.
  scheduled_delivery_timestamp: '4102444800',
});
