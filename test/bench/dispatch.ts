import { inProcess } from './dispatch/in-process.ts';
import { placement } from './dispatch/on-processor.ts';
import { overHttp } from './dispatch/over-http.ts';
import { installPeers } from './install-peers.ts';
import type { BenchOptions, Measure } from './measure.ts';

/** Verifying, dispatching and answering a webhook delivery, beside other bot frameworks. */
export async function bench({ against }: BenchOptions): Promise<Measure[]> {
  installPeers();
  console.log(placement);
  return [...(await overHttp(against)), ...(await inProcess(against))];
}
