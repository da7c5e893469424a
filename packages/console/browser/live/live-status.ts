/** `live`: events arrive; `retrying`: the server does not answer; `ended`: it refuses them. */
export type LiveStatus = 'connecting' | 'live' | 'retrying' | 'ended';
