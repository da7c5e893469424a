import { PUBLIC_FEATURE_LEVEL } from '@bellhop/protocol';
import { expect, test } from 'vitest';

import { startScriptedBouncer } from '../devices/scripted-bouncer.fixture.ts';

const specified = { svc_feature_level: 420, svc_version: '11.0-bellhop' };

test.each([
  ['the newest one', undefined, PUBLIC_FEATURE_LEVEL, undefined],
  ['an older one of the public release 12', 441, 441, '12.0-bellhop'],
  ['the last one of the public release 11', 424, 424, '11.0-bellhop'],
])(
  'clients and the bouncer are told the feature level of the public API: %s',
  async (_which, publicFeatureLevel, level, version = expect.any(String) as string) => {
    const config = publicFeatureLevel === undefined ? {} : { publicFeatureLevel };
    await using stack = await startScriptedBouncer({}, {}, { config });
    const { chat, requestsTo } = stack;
    const told = {
      ...specified,
      zulip_feature_level: level,
      zulip_version: version,
      zulip_merge_base: version,
    };
    expect((await chat.ask(null, 'GET /server_settings')).body).toMatchObject(told);
    const fields = { fetch_event_types: '[]' };
    expect((await chat.ask(chat.people.hamlet, 'POST /register', fields)).body).toMatchObject(told);
    await expect
      .poll(() => requestsTo('/server/analytics').at(-1)?.fields)
      .toMatchObject({
        api_feature_level: String(level),
        version,
        merge_base: version,
      });
  },
);
