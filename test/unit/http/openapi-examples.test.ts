import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { beforeAll, expect, it } from 'vitest';
import { describeApi } from '#functions/openapi/describe-api.ts';
import examples from '#functions/openapi/examples.json' with { type: 'json' };
import { ERROR_CODES } from '#shared/kernel/errors.ts';
import { newId } from '#shared/kernel/ids.ts';
import { chooseExamples } from '#test/support/examples/choose-examples.ts';
import { plausible } from '#test/support/examples/plausible-values.ts';
import type { Body } from '#test/support/host.ts';

let api: Body;
let validator: (pointer: string) => ValidateFunction;
beforeAll(async () => {
  api = JSON.parse(JSON.stringify(await describeApi()));
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
  ajv.addSchema({ ...api, $id: 'api' });
  validator = (pointer) => ajv.compile({ $ref: `api#${pointer}` });
});

type Media = { readonly name: string; readonly pointer: string; readonly media: Body; readonly isRequest: boolean };

const escaped = (segment: string) => encodeURIComponent(segment.replaceAll('~', '~0').replaceAll('/', '~1'));

/** The JSON that operations of clients take and return. */
function bodies(): readonly Media[] {
  return Object.entries<Body>(api.paths).flatMap(([path, item]) =>
    Object.entries<Body>(item).flatMap(([method, operation]) => {
      const place = `/paths/${escaped(path)}/${method}`;
      const name = `${method.toUpperCase()} ${path}`;
      const success = Object.keys(operation.responses).find((status) => status.startsWith('2')) ?? '';
      const [request, response] = [operation.requestBody, operation.responses[success]].map(
        (body) => body?.content?.['application/json'],
      );
      const isAlias = operation.deprecated === true;
      const content = 'content/application~1json/schema';
      return [
        ...(request && !isAlias
          ? [{ name, pointer: `${place}/requestBody/${content}`, media: request, isRequest: true }]
          : []),
        ...(response && !isAlias
          ? [{ name, pointer: `${place}/responses/${success}/${content}`, media: response, isRequest: false }]
          : []),
      ];
    }),
  );
}

/** The documents themselves, what providers send, and a protocol of its own. */
const WITHOUT = ['GET /openapi.json', 'GET /openapi-dashboard.json', 'POST /webhooks/{provider}', 'POST /mcp'];

it('every operation has an example of what it returns, and of what it must get', () => {
  const all = bodies().filter(({ name }) => !WITHOUT.includes(name));
  const isNeeded = ({ media, isRequest }: Media) => !isRequest || requires(media.schema);
  expect(all.length).toBeGreaterThan(200);
  expect(all.filter((body) => isNeeded(body) && body.media.example === undefined).map(({ name }) => name)).toEqual([]);
});

/** Whether `{}` would be refused. */
function requires(schema: Body): boolean {
  const whole = schema.$ref ? api.components.schemas[schema.$ref.split('/').at(-1)] : schema;
  return whole.required?.length > 0 || whole.oneOf !== undefined || whole.allOf !== undefined;
}

it('every example is what its schema says', () => {
  const faults = bodies().flatMap(({ name, pointer, media, isRequest }) => {
    if (media.example === undefined) return [];
    const validate = validator(pointer);
    const what = `${name} ${isRequest ? 'request' : 'response'}`;
    return validate(media.example)
      ? []
      : (validate.errors ?? []).map(({ instancePath, message }) => `${what}${instancePath} ${message}`);
  });
  expect(faults).toEqual([]);
});

const COMMON = [
  ...['invalid_request', 'invalid_api_key', 'missing_scope', 'not_found', 'rate_limited', 'raw_card_data'],
  ...['idempotency_key_required', 'idempotency_key_reused', 'idempotency_in_progress', 'payment_not_refundable'],
  ...['payment_not_retryable', 'plan_limit_reached', 'write_conflict', 'outcome_unknown', 'wrong_stage'],
];

it('the common error codes have an example each, and every example is an error with its code', () => {
  const shown: Body = api.components.responses.Error.content['application/json'].examples;
  expect(Object.keys(shown)).toEqual(expect.arrayContaining(COMMON));
  const validate = validator('/components/schemas/Problem');
  const wrong = Object.entries<Body>(shown).filter(
    ([code, { value }]) => value.code !== code || !(code in ERROR_CODES) || !validate(value),
  );
  expect(wrong).toEqual([]);
});

/** What scanners of repositories look for: keys of providers, our own, and long random texts that are no ids. */
const SECRETS = [
  /(?:sk|pk|rk)_(?:test|live|sandbox|sbox)_[A-Za-z0-9]{9,}/,
  /pfk_(?:test|live)_[A-Za-z0-9]{9,}/,
  /whsec_[A-Za-z0-9+/=]{9,}/,
  /\b(?![a-z]{2,5}_01k5b9m3)(?=[\w+-]*\d)(?=[\w+-]*[A-Za-z])[\w+-]{33,}/,
  /127\.0\.0\.1|localhost/,
];

it.each(SECRETS)('no example has a text like %s', (pattern) =>
  expect(JSON.stringify(examples).match(pattern)?.[0]).toBeUndefined(),
);

const BEGIN = new Date('2031-03-02T10:00:00Z');

const recorded = (minutes: number) => {
  const [id, other] = [newId('payment', BEGIN), newId('payment', BEGIN)];
  const at = new Date(BEGIN.getTime() + minutes * 61_003).toISOString();
  const later = new Date(Date.parse(at) + 86_400_000 + 2_000).toISOString();
  const response = {
    id,
    self: `http://127.0.0.1:${40_000 + minutes}/v1/payments/${id}`,
    other,
    created_at: at,
    expires_at: later,
    latency_ms: minutes,
    key: `sk_sandbox_${id.slice(4)}a8B7c6D5e4F3g2H1`,
    customer_email: `shop-${minutes}@test.example`,
    psp_reference: `pi_3Q${minutes}k8xZ7b6c5d`,
  };
  return { operation: 'GET /v1/payments/{id}', status: 200, request: undefined, response };
};

it('two runs of the tests give the same example, with ids, times and secrets that are constant', () => {
  const [first, second] = [plausible(recorded(3)), plausible(recorded(8))];
  expect(second).toEqual(first);
  expect(first.response).toEqual({
    id: 'pay_01k5b9m3q8tv2wx4y6z8a0b101',
    self: 'https://api.payfork.example/v1/payments/pay_01k5b9m3q8tv2wx4y6z8a0b101',
    other: 'pay_01k5b9m3q8tv2wx4y6z8a0b102',
    created_at: '2026-03-02T09:30:00.000Z',
    expires_at: '2026-03-03T09:30:00.000Z',
    latency_ms: 240,
    key: 'sk_sandbox_example',
    customer_email: 'ada@customer.example',
    psp_reference: 'pi_example1',
  });
});

it('the choice does not depend on the order in which tests ran', () => {
  const short = { operation: 'GET /a', status: 200, response: { id: 'a' } };
  const long = { operation: 'GET /a', status: 200, response: { id: 'a', name: 'Blue shop', city: 'Berlin' } };
  const strange = { operation: 'GET /a', status: 200, response: { id: 'a', name: '<b>', city: 'aaaaaaaa', x: 1 } };
  const error = { operation: 'GET /a', status: 404, response: { code: 'not_found', message: 'None.' } };
  const all = [short, long, strange, error];
  expect(chooseExamples(all)).toEqual(chooseExamples(all.toReversed()));
  expect(chooseExamples(all)).toEqual({
    operations: { 'GET /a': { status: 200, response: long.response } },
    errors: { not_found: error.response },
  });
});
