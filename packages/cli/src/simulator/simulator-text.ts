import type { CredentialFiles, PushSimulator } from '@bellhop/push-simulator';

/** The text that `bellhop simulator` prints once it runs. */
export function simulatorText(
  simulator: PushSimulator,
  files: CredentialFiles,
  asJson: boolean,
): string {
  const { fcm_url, apns_url, apns_sandbox_url, webpush_url, control_url, control_token } =
    simulator;
  const { apns, fcm, webpush } = simulator.credentials;
  if (asJson)
    return JSON.stringify({
      fcm_url,
      apns_url,
      apns_sandbox_url,
      webpush_url,
      control_url,
      control_token,
      apns: { team_id: apns.team_id, key_id: apns.key_id, topics: apns.topics },
      fcm: { project_id: fcm.project_id },
      webpush: { application_server_key: webpush.public_key },
      files,
    });
  const rows = [
    ['FCM', fcm_url],
    ['APNs', `${apns_url}, sandbox ${apns_sandbox_url}`],
    ['Web Push', webpush_url],
    ['Control API', `${control_url}, documented at ${control_url}/openapi.json`],
    ['Control token', control_token],
    ['Apple', `team ${apns.team_id}, key ${apns.key_id}, apps ${apns.topics.join(', ')}`],
    ['', files.apns_key],
    ['Google', `project ${fcm.project_id}`],
    ['', files.service_account],
    ['Browsers', `subscribe with ${webpush.public_key}`],
    ['Authority', files.ca],
  ];
  return `
The simulated push providers run.

${rows.map(([what = '', where = '']) => `  ${what.padEnd(14)} ${where}`).join('\n')}

  A bouncer that uses them, in a second shell:
    set -a; . ${files.environment}; set +a
    bellhop secrets keys          and set the line that it prints
    BELLHOP_BOUNCER_SERVERS=any bellhop bouncer

  bellhop simulator fault list    every fault, and how to switch it on
  bellhop simulator log --follow  the requests as they come

Ctrl-C stops it.`;
}
