/** Content type of `time`, `publish`, `subscribe` and the history, with quotation marks. */
export const QUOTED = 'text/javascript; charset="UTF-8"';
/** Content type of the Access Manager: its grants, and its refusals of any request. */
export const UNQUOTED = 'text/javascript; charset=UTF-8';

/** One answer of the real service: the request it answers, and its source. */
export interface Recorded {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  /** Repository and path, issue or page; values are replaced, texts and shapes are not. */
  readonly source: string;
}

export const PYTHON = 'github.com/pubnub/python tests/integrational/fixtures';
/** A moment of 2025, as a timetoken. */
export const TIME = '17479954352906024';
/** Tokens are CBOR, base64url with its padding. */
export const RECORDED_TOKEN = 'qEF2AkF0GmgwSytDdHRsAUNyZXOlRGNoYW6hQ3NpZ1ggqSA2gRAgAT-XL_Xf-w==';

/**
 * Answers to the server: `GET /time/0`, `POST /v3/pam/…/grant`, `DELETE /v3/pam/…/grant/{token}`.
 */
export const RECORDED_SERVER = {
  time: {
    status: 200,
    type: QUOTED,
    body: `[${TIME}]`,
    source: `${PYTHON}/asyncio/time/get.yaml`,
  },
  grant: {
    status: 200,
    type: UNQUOTED,
    body: JSON.stringify({
      data: { message: 'Success', token: RECORDED_TOKEN },
      service: 'Access Manager',
      status: 200,
    }),
    source: `${PYTHON}/native_sync/pam/grant_token_authorization.json`,
  },
  grantOfNoTime: {
    status: 400,
    type: UNQUOTED,
    body: JSON.stringify({
      error: {
        message: 'Invalid ttl',
        source: 'grant',
        details: [
          {
            message: 'Range should be 1 to 43200 minute(s).',
            location: 'ttl',
            locationType: 'body',
          },
        ],
      },
      service: 'Access Manager',
      status: 400,
    }),
    source: `${PYTHON}/native_sync/pam/grant_token_invalid_ttl.json`,
  },
  grantOfNoJson: {
    status: 400,
    type: UNQUOTED,
    body: JSON.stringify({
      error: {
        message: 'Invalid JSON',
        source: 'grant',
        details: [
          {
            message: 'Content-Type must be `application/json`.',
            location: '<root>',
            locationType: 'body',
          },
        ],
      },
      service: 'Access Manager',
      status: 400,
    }),
    source: 'github.com/pubnub/javascript issue 373',
  },
  revoke: {
    status: 200,
    type: UNQUOTED,
    body: JSON.stringify({ data: { message: 'Success' }, service: 'Access Manager', status: 200 }),
    source: `${PYTHON}/native_sync/pam/revoke_token.json`,
  },
  revokeOfAnEndedToken: {
    status: 400,
    type: UNQUOTED,
    body: JSON.stringify({
      error: {
        details: [{ location: 'token', locationType: 'path', message: 'Token is expired.' }],
        message: 'Invalid token',
        source: 'revoke',
      },
      service: 'Access Manager',
      status: 400,
    }),
    source: `${PYTHON}/native_sync/pam/revoke_expired_token.json`,
  },
} as const satisfies Readonly<Record<string, Recorded>>;

/** Answers to the page. */
export const RECORDED_PAGE = {
  publish: {
    status: 200,
    type: QUOTED,
    body: `[1,"Sent","${TIME}"]`,
    source: `${PYTHON}/asyncio/publish/object_via_post.json`,
  },
  handshake: {
    status: 200,
    type: QUOTED,
    body: `{"t":{"t":"${TIME}","r":42},"m":[]}`,
    source: `${PYTHON}/asyncio/subscription/sub_pub_unsub.json`,
  },
  poll: {
    status: 200,
    type: QUOTED,
    body: JSON.stringify({
      t: { t: TIME, r: 42 },
      m: [
        {
          a: '5',
          f: 0,
          i: 'u_elsewhere',
          s: 1,
          p: { t: TIME, r: 42 },
          k: 'sub-c-test',
          c: 'chat.c_1.team',
          d: { text: 'hello' },
        },
      ],
    }),
    source: `${PYTHON}/asyncio/subscription/sub_pub_unsub.json`,
  },
  history: {
    status: 200,
    type: QUOTED,
    body: JSON.stringify({
      status: 200,
      channels: {
        'chat.c_1.team': [
          {
            message_type: null,
            message: { text: 'hello' },
            timetoken: TIME,
            type: '',
            uuid: 'u_elsewhere',
          },
        ],
      },
      error_message: '',
      error: false,
    }),
    source: `${PYTHON}/native_sync/fetch_messages/include_uuid.json`,
  },
  counts: {
    status: 200,
    type: QUOTED,
    body: JSON.stringify({
      status: 200,
      error: false,
      error_message: '',
      channels: { 'chat.c_1.team': 1 },
      more: {
        'chat.c_1.team': {
          url: `/v3/history/sub-key/sub-c-test/message-counts/chat.c_1.team?timetoken=${TIME}`,
          is_more: false,
        },
      },
    }),
    source: `${PYTHON}/asyncio/message_count/multi.json`,
  },
} as const satisfies Readonly<Record<string, Recorded>>;
