import { saveJson } from '../controls/save-json.ts';
import type { OperatorClient } from './operator-client.ts';

/** Saves all that is stored about a chat server as a file, a record a line. */
export async function exportServer(
  client: OperatorClient,
  { server, hostname }: { readonly server: string; readonly hostname: string },
): Promise<void> {
  const lines: string[] = [];
  let after: string | null | undefined;
  while (after !== null) {
    const part = await client.servers.export({ server, ...(after === undefined ? {} : { after }) });
    lines.push(...part.records.map((record) => `${JSON.stringify(record)}\n`));
    after = part.next;
  }
  saveJson(`${hostname}.ndjson`, lines.join(''));
}
