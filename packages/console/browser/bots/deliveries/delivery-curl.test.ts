import type { BotDeliveryDetails } from '@bellhop/protocol';
import { expect, test } from 'vitest';

import { deliveryCurl } from './delivery-curl.ts';

const delivery = (payload: string) =>
  ({
    payload,
    attempts: [
      {
        request: {
          url: 'http://127.0.0.1:8080/',
          headers: { 'content-type': 'application/json', 'webhook-signature': '[redacted]' },
        },
      },
    ],
  }) as unknown as BotDeliveryDetails;

test('a delivery is copied as a command whose token is a variable', () => {
  const command = deliveryCurl(delivery('{"data":"[redacted]","token":"[redacted]"}'));
  expect(command).toBe(
    [
      "curl -X POST 'http://127.0.0.1:8080/'",
      "-H 'content-type: application/json'",
      `--data-raw '{"data":"[redacted]","token":"'"$BOT_TOKEN"'"}'`,
    ].join(' \\\n  '),
  );
});

test('the token of a form is a variable', () => {
  expect(deliveryCurl(delivery('token=%5Bredacted%5D&text=hi'))).toContain(
    `'token='"$BOT_TOKEN"'&text=hi'`,
  );
});
