import type { App } from '../app.ts';
import { responseTo, type Delivery, deliveryRequest, isToken } from '../delivery.ts';

/** The minimal bot on Express with its JSON parser. */
export const express: App = {
  name: 'bare Express',
  request: deliveryRequest,
  async serve(handled) {
    const { default: createApp, json } = await import('express');
    const listener = createApp()
      .use(json())
      .post('/', (request, response) => {
        const delivery: Delivery = request.body;
        if (!isToken(delivery.token)) {
          response.status(401).json({});
          return;
        }
        handled();
        response.json(responseTo(delivery));
      });
    return { listener };
  },
};
