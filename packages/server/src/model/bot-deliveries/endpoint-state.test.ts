import { expect, test } from 'vitest';

import { endpointState } from './endpoint-state.ts';

const service = {
  base_url: 'http://192.0.2.1/',
  disabled_at: null,
  failing_since: new Date(1000),
  failures_in_a_row: 0,
  probe_after: null,
};

test.each([
  [0, 'working', null],
  [1, 'failing', 'The last attempt failed.'],
  [3, 'failing', 'The last 3 attempts failed.'],
])('an endpoint with %i failures in a row is %s', (failures_in_a_row, state, reason) => {
  expect(endpointState({ ...service, failures_in_a_row })).toMatchObject({ state, reason });
});
