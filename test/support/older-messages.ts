import type { Page } from 'playwright-core';

const DAY = 86_400;

/** From now on the page gets messages with a matching text as of a day before they were sent. */
export const makeOlder = (page: Page, isOlder: RegExp) =>
  page.route('**/api/v1/messages?*', async (route) => {
    const response = await route.fetch();
    const answer = (await response.json()) as {
      messages: { content: string; timestamp: number }[];
    };
    for (const message of answer.messages)
      if (isOlder.test(message.content)) message.timestamp -= DAY;
    await route.fulfill({ response, json: answer });
  });
