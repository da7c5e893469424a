/** The path of a URL below `/user_uploads/` of this server, percent-encoded; undefined for others. */
export function uploadUrl(href: string, realmHost: string | undefined): string | undefined {
  const url = URL.parse(href, 'http://same.invalid');
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  if (url.host !== 'same.invalid' && url.host !== realmHost) return undefined;
  return /^\/user_uploads\/./.test(url.pathname) ? url.pathname : undefined;
}

/** The path of an upload as it is stored, without `/user_uploads/`. */
export function uploadPath(href: string, realmHost: string | undefined): string | undefined {
  const path = uploadUrl(href, realmHost)?.slice('/user_uploads/'.length);
  return path === undefined ? undefined : decodePath(path);
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

const imagePath = /\.(?:avif|bmp|gif|heic|jpe?g|png|webp)$/i;

export const isImage = (href: string): boolean => imagePath.test(href.replace(/[?#].*$/s, ''));
