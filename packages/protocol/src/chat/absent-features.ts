import { z } from 'zod';

import { resource, section } from '../wire/resource.ts';

const emptyList = z.array(z.unknown());

/** Initial state of features that this server does not implement: always empty or switched off. */
export const absentFeatures = resource({
  state: {
    giphy: section({ giphy_api_key: z.string(), tenor_api_key: z.string() }),
    onboarding_steps: section({
      onboarding_steps: emptyList,
      navigation_tour_video_url: z.string().nullable(),
    }),
    realm_billing: section({
      realm_billing: z.object({ has_pending_sponsorship_request: z.boolean() }),
    }),
    realm_embedded_bots: section({ realm_embedded_bots: emptyList }),
    realm_incoming_webhook_bots: section({ realm_incoming_webhook_bots: emptyList }),
    stop_words: section({ stop_words: z.array(z.string()) }),
    video_calls: section({ has_zoom_token: z.boolean() }),
  },
});
