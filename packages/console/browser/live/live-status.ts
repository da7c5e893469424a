/** `live`: events arrive; `retrying`: the server does not answer; `ended`: signed out. */
export type LiveStatus = 'connecting' | 'live' | 'retrying' | 'ended';
