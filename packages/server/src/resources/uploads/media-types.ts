/** What browsers show without running anything in it, by the extension it usually has. */
const shown: Readonly<Record<string, string>> = {
  aac: 'audio/aac',
  apng: 'image/apng',
  avif: 'image/avif',
  flac: 'audio/flac',
  gif: 'image/gif',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  log: 'text/plain',
  m4a: 'audio/mp4',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  png: 'image/png',
  txt: 'text/plain',
  wav: 'audio/wav',
  webm: 'video/webm',
  webp: 'image/webp',
};
const types = new Set(Object.values(shown));

/** The type of a file: what the client says, or what its name says where the client does not know. */
export function mediaType(said: string, name: string): string {
  const type = said
    .toLowerCase()
    .replace(/\s*;.*$/s, '')
    .trim();
  if (/^[\w.+-]+\/[\w.+-]+$/.test(type) && type !== 'application/octet-stream')
    return type.slice(0, 100);
  const extension = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  return shown[extension] ?? 'application/octet-stream';
}

/** How a file is served: HTML, SVG, scripts and what nobody knows are only ever saved. */
export const servedAs = (type: string): { readonly type: string; readonly isShown: boolean } =>
  types.has(type)
    ? { type: type === 'text/plain' ? 'text/plain; charset=utf-8' : type, isShown: true }
    : { type: 'application/octet-stream', isShown: false };
