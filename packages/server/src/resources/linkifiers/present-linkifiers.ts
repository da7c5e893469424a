import { presentAsStored, type Presenter } from '../../engine/stored-event.ts';

/** Only clients that declare the capability read linkifiers with URL templates. */
export const presentLinkifiers: Presenter = (event, reader) =>
  reader.registration.capabilities.linkifier_url_template ? presentAsStored(event, reader) : [];
