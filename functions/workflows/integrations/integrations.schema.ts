import * as z from 'zod';
import { INTEGRATION_TYPES, type IntegrationType } from '#shared/domain/workflows/workflow.model.ts';
import { faultsInConfig } from '#shared/domain/workflows/workflow-integration.rules.ts';
import {
  ANY_OFFSET,
  CountedPagination,
  Email,
  IdParam,
  ListQuery,
  Name,
  PastedUrl,
} from '#shared/http/schema/common.schema.ts';
import { isId } from '#shared/kernel/ids.ts';

export const ById = IdParam('integration');

/**
 * Headers that control the connection or the length of the body, and those that prove that the request is from this
 * service.
 */
const RESERVED_HEADERS =
  /^(host|content-length|content-type|transfer-encoding|connection|keep-alive|te|trailer|upgrade|expect|user-agent|(proxy|webhook|x-service)-.*)$/i;
const MAX_HEADERS = 20;
const HEADER_NAME = 'Must be a header name of 1 to 100 characters.';
const HEADER_VALUE = 'Must be 1 to 1000 printable ASCII characters.';

const HeaderName = z
  .string()
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/, HEADER_NAME)
  .refine((name) => !RESERVED_HEADERS.test(name), 'This header is set by the service.');
const HeaderValue = z.string(HEADER_VALUE).regex(/^[\x20-\x7e]{1,1000}$/, HEADER_VALUE);
const lowerCaseNames = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

const fields = {
  name: Name,
  enabled: z.boolean('Must be true or false.'),
  url: PastedUrl,
  headers: z
    .record(HeaderName, HeaderValue, 'Must be an object of header names and values.')
    .refine((headers) => Object.keys(headers).length <= MAX_HEADERS, `Must have at most ${MAX_HEADERS} headers.`)
    .refine(
      (headers) => Object.keys(lowerCaseNames(headers)).length === Object.keys(headers).length,
      'Must not contain the same header twice. Header names are case-insensitive.',
    )
    .transform(lowerCaseNames),
  to: z
    .union(
      [
        Email.toLowerCase(),
        z
          .array(Email.toLowerCase(), 'Must be a list of email addresses.')
          .min(1, 'Must contain at least one address.')
          .max(10, 'Must contain at most 10 addresses.'),
      ],
      'Must be an email address, or a list of 1 to 10 email addresses.',
    )
    .transform((to) => [...new Set([to].flat())]),
};

/** Each type has its own fields. They are checked where the type is known. */
const Config = z
  .strictObject({
    url: fields.url.optional(),
    headers: fields.headers.optional(),
    to: fields.to.optional(),
  })
  .meta({ id: 'IntegrationConfig' });

const REQUIRED_FIELD = { http: 'url', slack: 'url', email: 'to' } as const satisfies Readonly<
  Record<IntegrationType, string>
>;

/** Checked even if there are other issues, so that all of them are reported at once. */
const isRecord = ({ value }: { readonly value: unknown }): boolean => typeof value === 'object' && value !== null;
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

function* faultsOfType(type: unknown, config: unknown) {
  const known = INTEGRATION_TYPES.find((each) => each === type);
  if (!known || !isObject(config)) return;
  yield* faultsInConfig(known, config);
  if (config[REQUIRED_FIELD[known]] === undefined)
    yield { path: `config.${REQUIRED_FIELD[known]}`, message: `Must be set for an integration of type ${known}.` };
}

export const CreateIntegrationBody = z
  .strictObject({
    name: fields.name,
    type: z.enum(INTEGRATION_TYPES, `Must be one of ${INTEGRATION_TYPES.join(', ')}.`),
    config: Config,
    enabled: fields.enabled.optional(),
  })
  .check(
    z.superRefine(
      ({ type, config }, context) => {
        for (const { path, message } of faultsOfType(type, config))
          context.addIssue({ code: 'custom', path: path.split('.'), message });
      },
      { when: isRecord },
    ),
  )
  .meta({
    id: 'CreateIntegration',
    examples: [
      {
        name: 'CRM',
        type: 'http',
        config: { url: 'https://crm.shop.example/payfork', headers: { authorization: 'Bearer ...' } },
      },
      { name: 'Payments channel', type: 'slack', config: { url: 'https://hooks.slack.com/services/T000/B000/XXXX' } },
      { name: 'Finance', type: 'email', config: { to: ['finance@shop.example'] } },
    ],
  });
export type CreateIntegrationInput = z.output<typeof CreateIntegrationBody>;

export const UpdateIntegrationBody = z
  .strictObject({ name: fields.name.optional(), config: Config.optional(), enabled: fields.enabled.optional() })
  .meta({ id: 'UpdateIntegration' });
export type UpdateIntegrationInput = z.output<typeof UpdateIntegrationBody>;

export const ListIntegrationsQuery = ListQuery(
  {},
  { isPosition: (position) => isId('integration', position), maxOffset: ANY_OFFSET },
);
export type ListIntegrationsInput = z.output<typeof ListIntegrationsQuery>;

const integrationReply = <T extends string, C extends z.ZodRawShape>(type: T, config: C) =>
  z.object({
    id: z.string(),
    org_id: z.string(),
    name: z.string(),
    type: z.literal(type),
    config: z.object(config),
    enabled: z.boolean(),
    created_at: z.string(),
    updated_at: z.string(),
  });

export const IntegrationReply = z
  .discriminatedUnion('type', [
    integrationReply('http', {
      url: z.string(),
      headers: z.record(z.string(), z.string()),
    })
      .extend({
        signing_secret: z.string(),
      })
      .meta({ id: 'HttpIntegration' }),
    integrationReply('slack', { url: z.string() }).meta({
      id: 'SlackIntegration',
    }),
    integrationReply('email', { to: z.array(z.string()).readonly() }).meta({ id: 'EmailIntegration' }),
  ])
  .meta({ id: 'Integration' });

export const IntegrationsReply = z
  .object({
    integrations: z.array(IntegrationReply).readonly(),
    pagination: CountedPagination,
  })
  .meta({ id: 'IntegrationList' });
