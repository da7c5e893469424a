import { createBot, fetchHandler } from '@bellhop/bot';

import { email, payload, token } from './dispatch-payload.ts';
import type { Measure } from './measure.ts';
import { median } from './median.ts';

const RUNS = 21;
const DELIVERIES = 4000;

/** What a delivery costs with 100 commands, beside one with a single command. */
export async function inProcess(): Promise<Measure[]> {
  const many = handlerWith(100);
  const one = handlerWith(1);
  const costs: { many: number[]; one: number[] } = { many: [], one: [] };
  for (let warmUp = 0; warmUp < 5; warmUp++) {
    await cost(many);
    await cost(one);
  }
  for (let run = 0; run < RUNS; run++) {
    costs.many.push(await cost(many));
    costs.one.push(await cost(one));
  }
  const ours = median(costs.many);
  const reference = median(costs.one);
  return [
    {
      bench: 'dispatch',
      measure: 'Request to Response, with 100 commands',
      unit: 'µs',
      ours,
      reference,
      reference_name: 'the same with 1 command',
      ratio: ours / reference,
      runs: RUNS,
    },
  ];
}

function handlerWith(commands: number): (request: Request) => Promise<Response> {
  const bot = createBot({ email, token });
  for (let n = 1; n < commands; n++) bot.command(`other-${n}`, () => 'other');
  bot.command('deploy', (ctx) => `Deployed ${ctx.message.content.length}`);
  return fetchHandler([bot]);
}

async function cost(handler: (request: Request) => Promise<Response>): Promise<number> {
  const body = payload(token);
  const started = process.cpuUsage();
  for (let n = 0; n < DELIVERIES; n++) {
    const response = await handler(new Request('http://bots.test/', { method: 'POST', body }));
    if (response.status !== 200) throw new Error(`A delivery was answered ${response.status}`);
  }
  const { user, system } = process.cpuUsage(started);
  return (user + system) / DELIVERIES;
}
