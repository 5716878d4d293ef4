import { PYTHON, QUOTED, type Recorded, TIME, UNQUOTED } from './recorded.ts';

const SWIFT = 'github.com/pubnub/swift Tests/PubNubTests/Mocking/Responses';

/** The Access Manager ends its refusals with a line break. */
const toRefusal = (refusal: object): string => `${JSON.stringify(refusal)}\n`;

/** Refusals of any call, from the page or from the server. */
export const RECORDED_REFUSALS = {
  noToken: {
    status: 403,
    type: UNQUOTED,
    body: toRefusal({
      message: 'Forbidden',
      payload: { channels: ['chat.c_1.team'] },
      error: true,
      service: 'Access Manager',
      status: 403,
    }),
    source: `${PYTHON}/asyncio/subscription/access_denied_unsubscribe_operation.yaml, asyncio/publish/not_permitted.json`,
  },
  revokedToken: {
    status: 403,
    type: UNQUOTED,
    body: toRefusal({
      error: true,
      status: 403,
      service: 'Access Manager',
      message: 'Token is revoked',
    }),
    source: `${PYTHON}/native_sync/pam/revoke_token_verify_operations.json`,
  },
  endedToken: {
    status: 403,
    type: UNQUOTED,
    body: toRefusal({
      error: true,
      status: 403,
      service: 'Access Manager',
      message: 'Token is expired.',
    }),
    source: 'the words in a log of the service’s C library; type and line end as in the one above',
  },
  wrongSubscribeKey: {
    status: 400,
    type: UNQUOTED,
    body: toRefusal({
      message: 'Invalid Subscribe Key',
      error: true,
      service: 'Access Manager',
      status: 400,
    }),
    source: `${SWIFT}/Errors/EndpointError/invalidSubscribeKey.json`,
  },
  wrongSignature: {
    status: 403,
    type: UNQUOTED,
    body: JSON.stringify({
      error: {
        message: 'Invalid signature',
        source: 'grant',
        details: [
          {
            message: 'Client and server produced different signatures for the same inputs.',
            location: 'signature',
            locationType: 'query',
          },
        ],
      },
      service: 'Access Manager',
      status: 403,
    }),
    source:
      'github.com/pubnub/rust src/dx/access/result.rs; type and line end as in RECORDED_SERVER.grantOfNoTime',
  },
  wrongTime: {
    status: 400,
    type: UNQUOTED,
    body: JSON.stringify({
      message: 'Invalid Timestamp',
      error: true,
      service: 'Access Manager',
      status: 400,
    }),
    source:
      'pubnub.com/docs/sdks/javascript/api-reference/access-manager-v2: grant, the message; shape as in wrongSubscribeKey, line end as in wrongSignature',
  },
  noPersistence: {
    status: 403,
    type: QUOTED,
    body: JSON.stringify({
      status: 403,
      error: true,
      error_message:
        'Use of the history API requires the Storage & Playback which is not enabled for this subscribe key. Login to your PubNub Dashboard Account and enable Storage & Playback. Contact support@pubnub.com if you require further assistance.',
      channels: {},
    }),
    source: `${SWIFT}/MessageCounts/message_counts_error_serviceNotEnabled.json`,
  },
  badArguments: {
    status: 400,
    type: QUOTED,
    body: JSON.stringify({
      status: 400,
      error: true,
      error_message: 'Invalid Arguments',
      channels: {},
    }),
    source: `${SWIFT}/MessageCounts/message_counts_error_invalid_arguments.json`,
  },
  wrongPublishKey: {
    status: 400,
    type: QUOTED,
    body: `[0,"Invalid Key","${TIME}"]`,
    source: `${PYTHON}/native_threads/publish/publish_invalid_key.json`,
  },
  noJson: {
    status: 400,
    type: QUOTED,
    body: `[0,"Invalid JSON","${TIME}"]`,
    source: `${SWIFT}/Publish/publish_invalid_json.json`,
  },
  tooLarge: {
    status: 400,
    type: QUOTED,
    body: `[0,"Message Too Large","${TIME}"]`,
    source:
      'github.com/pubnub/swift Tests/PubNubSDKUnitTests/Mocking/Responses/Publish/publish_message_too_large.json',
  },
  tooLargeAsDocumented: {
    status: 413,
    type: QUOTED,
    body: '[0,"Request Entity Too Large"]',
    source: 'pubnub.com/docs/sdks/rest-api: publish, response 413',
  },
  tooDeep: {
    status: 400,
    type: QUOTED,
    body: `[0,"Wildcard maximum depth exceeded","${TIME}"]`,
    source: 'pubnub.com/docs/sdks/rest-api: publish, response 400',
  },
} as const satisfies Readonly<Record<string, Recorded>>;
