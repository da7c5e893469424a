import type { Realm } from '../../engine/caller.ts';

export type RealmImageKind = 'icon' | 'logo' | 'night_logo';

/** The source of an image: uploaded, or the default of icons or logos. */
type ImageSource = 'U' | 'G' | 'D';

export interface RealmImage {
  readonly source: ImageSource;
  readonly url: string;
}

const PATH = /^\/user_avatars\/(\d{1,15})\/realm\/(icon|logo|night_logo)\.png$/;

/** Whether a path is that of an image of a realm. */
export const isRealmImagePath = (path: string): boolean => PATH.test(path);

/** The realm and the kind of a path. */
export function parseRealmImagePath(path: string) {
  const [, realm_id, kind] = PATH.exec(path) ?? [];
  return kind === undefined
    ? undefined
    : { realm_id: Number(realm_id), kind: kind as RealmImageKind };
}

/** The uploaded image with this version; without one the default, which all realms share. */
export const realmImage = (
  { id, url }: Pick<Realm, 'id' | 'url'>,
  kind: RealmImageKind,
  version: number | undefined,
): RealmImage =>
  version === undefined
    ? { source: kind === 'icon' ? 'G' : 'D', url: `${url}/api/icon.svg` }
    : { source: 'U', url: `${url}/user_avatars/${id}/realm/${kind}.png?version=${version}` };
