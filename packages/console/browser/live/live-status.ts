/** `live`: events arrive; `retrying`: the server does not answer; `ended`: it refuses them, or the page cannot read them. */
export type LiveStatus = 'connecting' | 'live' | 'retrying' | 'ended';
