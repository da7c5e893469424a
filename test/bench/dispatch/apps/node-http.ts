import type { RequestListener } from 'node:http';

import type { App } from '../app.ts';
import { responseTo, type Delivery, deliveryRequest, isToken } from '../delivery.ts';

/** A minimal bot: parses the delivery, compares the token, responds. */
export const nodeHttp: App = {
  name: 'bare node:http',
  request: deliveryRequest,
  async serve(handled) {
    const listener: RequestListener = (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const delivery: Delivery = JSON.parse(Buffer.concat(chunks).toString());
        const genuine = isToken(delivery.token);
        if (genuine) handled();
        const body = JSON.stringify(genuine ? responseTo(delivery) : {});
        const headers = {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        };
        response.writeHead(genuine ? 200 : 401, headers).end(body);
      });
    };
    return { listener };
  },
};
