import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

interface Paced {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bodies: readonly { readonly key: string; readonly body: string }[];
  readonly perSecond: number;
}

/** Sends requests at a steady rate, whether earlier ones are answered or not. Milliseconds of each. */
export async function pacedRequests({ url, headers, bodies, perSecond }: Paced): Promise<number[]> {
  const agent = new Agent({ keepAlive: true });
  const begun = performance.now();
  const latencies: number[] = [];
  const send = async (index: number, body: string, key: string) => {
    const due = begun + (index * 1_000) / perSecond;
    await sleep(Math.max(0, due - performance.now()));
    // From when it was due: a sender that is late measures its own delay too.
    const sent = request(url, {
      method: 'POST',
      agent,
      headers: { ...headers, 'idempotency-key': key, 'content-length': Buffer.byteLength(body) },
    }).end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const answer = await text(response);
    if (response.statusCode !== 200) throw new Error(`The bouncer answers ${answer}`);
    latencies.push(performance.now() - Math.max(due, begun));
  };
  await Promise.all(bodies.map(({ body, key }, index) => send(index, body, key)));
  agent.destroy();
  return latencies;
}
