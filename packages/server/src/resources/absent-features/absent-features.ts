import type { Resource } from '../../engine/resource.ts';

/** Empty initial state of features that this server does not have. */
export const absentFeatures: Resource<'absentFeatures'> = {
  state: {
    giphy: () => ({ giphy_api_key: '', tenor_api_key: '' }),
    onboarding_steps: () => ({ onboarding_steps: [], navigation_tour_video_url: null }),
    realm_billing: () => ({ realm_billing: { has_pending_sponsorship_request: false } }),
    realm_embedded_bots: () => ({ realm_embedded_bots: [] }),
    realm_incoming_webhook_bots: () => ({ realm_incoming_webhook_bots: [] }),
    stop_words: () => ({ stop_words: [] }),
    video_calls: () => ({ has_zoom_token: false }),
  },
};
