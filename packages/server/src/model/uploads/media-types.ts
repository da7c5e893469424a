/** Types that browsers show without running code, by file extension. */
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

/** The type of a file as the client says; if it does not know, by the extension. */
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

/** How a file is served: HTML, SVG, scripts and unknown types only as a download. */
export const servedAs = (type: string): { readonly type: string; readonly isShown: boolean } =>
  types.has(type)
    ? { type: type === 'text/plain' ? 'text/plain; charset=utf-8' : type, isShown: true }
    : { type: 'application/octet-stream', isShown: false };
