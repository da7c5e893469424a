import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { freePorts } from '@bellhop/http/testing';

import { supervise, type Supervised } from './process.ts';

export interface Etcd {
  readonly process: Supervised;
  /** For clients. */
  readonly port: number;
}

const local = (port: number | undefined) => `http://127.0.0.1:${port}`;

/** Three members of etcd, with the variables of the guide. */
export async function startEtcds(stack: AsyncDisposableStack, directory: string): Promise<Etcd[]> {
  const names = ['etcd1', 'etcd2', 'etcd3'];
  const clients = await freePorts(names.length);
  const peers = await freePorts(names.length);
  const members = names.map((name, at) => `${name}=${local(peers[at])}`).join(',');
  const etcds = [];
  for (const [at, name] of names.entries()) {
    const dataDir = join(directory, name);
    await mkdir(dataDir, { mode: 0o700 });
    const env = {
      ETCD_NAME: name,
      ETCD_DATA_DIR: dataDir,
      ETCD_LISTEN_CLIENT_URLS: local(clients[at]),
      ETCD_ADVERTISE_CLIENT_URLS: local(clients[at]),
      ETCD_LISTEN_PEER_URLS: local(peers[at]),
      ETCD_INITIAL_ADVERTISE_PEER_URLS: local(peers[at]),
      ETCD_INITIAL_CLUSTER: members,
      ETCD_INITIAL_CLUSTER_STATE: 'new',
      ETCD_ENABLE_V2: 'true',
    };
    const log = join(directory, `${name}.log`);
    const process = stack.use(supervise({ command: 'etcd', args: [], log, env }));
    etcds.push({ process, port: clients[at] ?? 0 });
  }
  return etcds;
}
