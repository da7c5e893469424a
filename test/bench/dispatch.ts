import { inProcess } from './dispatch/in-process.ts';
import { placement } from './dispatch/on-processor.ts';
import { overHttp } from './dispatch/over-http.ts';
import type { Measure } from './measure.ts';

/** How fast a delivery is verified, dispatched and answered, beside the other bot frameworks. */
export async function bench(): Promise<Measure[]> {
  console.log(placement);
  return [...(await overHttp()), ...(await inProcess())];
}
