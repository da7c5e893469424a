import { Proxies } from '@bellhop/http/proxy';

import type { Environment, VariableReader } from './variable-reader.ts';

/** The proxies of the environment, in capitals or in small letters as other programs read them. */
export function readProxies(reader: VariableReader, env: Environment): Proxies {
  const https = reader.text('HTTPS_PROXY') ?? env['https_proxy'];
  const no = reader.text('NO_PROXY') ?? env['no_proxy'];
  let proxies = new Proxies();
  reader.check('HTTPS_PROXY', () => (proxies = new Proxies({ https, no })));
  return proxies;
}
