import {
  componentIn,
  describing,
  isObject,
  type Json,
  propertyIn,
  refTo,
  schemasOf,
  withSchemas,
} from '#functions/openapi/structure/json.ts';
import { EVENT_TYPES, type EventType } from '#shared/domain/reference/events.catalog.ts';
import { EVENT_FIELDS, type Fields } from '#shared/domain/webhooks/event-fields.catalog.ts';
import type { OpenApiDocument } from '#shared/http/openapi/document.ts';
import { eventName } from '#shared/http/openapi/webhooks.ts';

/** The resource that an event shows, by the beginning of its type. */
const RESOURCES: Readonly<Record<string, string>> = {
  payment: 'Payment',
  subscription: 'Subscription',
  invoice: 'Invoice',
  payment_link: 'PaymentLink',
  dispute: 'Dispute',
};

/** What an event shows beside its resource's own fields. */
const PARTS: Readonly<Record<string, Json>> = {
  attempt: refTo('AttemptReport'),
  capture: refTo('Capture'),
  refund: refTo('Refund'),
  payment_id: { type: 'string', description: 'The payment that was made with it.' },
};

/** Fields of a payment that each of its events has; the others depend on how it is paid. */
const OF_EVERY_PAYMENT = ['id', 'amount', 'currency', 'status', 'provider', 'customer_id', 'metadata'];

/**
 * Each event type gets a schema of its own, with the fields that events of the type show, as `EVENT_FIELDS` says.
 * `EventPayload` is what a webhook endpoint receives; the stored `Event` says how its delivery went.
 */
export function withEvents(document: OpenApiDocument): OpenApiDocument {
  const schemas = schemasOf(document);
  const stored = componentIn(schemas, 'Event');
  const { Event: _, ...others } = schemas;
  const own = EVENT_TYPES.map((type) => [eventName(type), eventSchema(type, schemas)] as const);
  return withSchemas(document, {
    ...others,
    ...snapshots(schemas),
    ...Object.fromEntries(own),
    EventBase: eventBase(stored),
    AnyEvent: {
      description: 'An event: its `type` says what `data` is.',
      oneOf: EVENT_TYPES.map((type) => refTo(eventName(type))),
      discriminator: {
        propertyName: 'type',
        mapping: Object.fromEntries(EVENT_TYPES.map((type) => [type, refTo(eventName(type)).$ref])),
      },
    },
    EventPayload: {
      description: 'An event, as your webhook endpoint receives it.',
      allOf: [refTo('AnyEvent'), refTo('EventDelivery')],
    },
    EventDelivery: EVENT_DELIVERY,
    Event: { ...describing(stored), allOf: [refTo('AnyEvent'), deliveryOf(stored)] },
  });
}

const BASE_FIELDS = ['id', 'org_id', 'created_at'];
const BESIDE_DELIVERY = new Set([...BASE_FIELDS, 'type', 'data']);

/** What a delivery adds to an event. */
const EVENT_DELIVERY: Json = {
  type: 'object',
  description: 'What each delivery of an event says.',
  properties: {
    timestamp: {
      type: 'integer',
      description:
        'When this attempt was sent, in Unix seconds. Reject what differs from your time by more than 300 seconds.',
    },
  },
  required: ['timestamp'],
};

function eventBase(stored: Json): Json {
  const properties = Object.fromEntries(BASE_FIELDS.map((name) => [name, propertyIn(stored, name)]));
  return { type: 'object', description: 'What every event has.', properties, required: BASE_FIELDS };
}

/** How the delivery of a stored event went. */
function deliveryOf({ properties, required }: Json): Json {
  const isOwn = (name: string) => !BESIDE_DELIVERY.has(name);
  const own = Object.entries(isObject(properties) ? properties : {}).filter(([name]) => isOwn(name));
  const names = Array.isArray(required) ? required.filter(isOwn) : [];
  return { type: 'object', properties: Object.fromEntries(own), required: names };
}

function eventSchema(type: EventType, schemas: Json): Json {
  const own = { type: 'object', properties: { type: { const: type }, data: dataOf(type, schemas) } };
  return { allOf: [refTo('EventBase'), { ...own, required: ['type', 'data'] }] };
}

const resourceOf = (type: EventType): string | undefined => RESOURCES[type.split('.')[0] ?? ''];

function dataOf(type: EventType, schemas: Json): Json {
  const fields = EVENT_FIELDS[type];
  const resource = resourceOf(type);
  if (resource === undefined) return testData(fields);
  const snapshot = snapshotOf(resource, schemas);
  const more = Object.keys(fields).filter((name) => !snapshot.names.includes(name));
  if (more.length === 0) return refTo(snapshot.name);
  const properties = Object.fromEntries(more.map((name) => [name, partOf(resource, name, schemas)]));
  const required = more.filter((name) => name !== 'attempt');
  return {
    allOf: [refTo(snapshot.name), { type: 'object', properties, ...(required.length > 0 && { required }) }],
  };
}

const testData = (fields: Fields): Json => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.keys(fields).map((name) => [name, { type: 'string', description: 'A greeting, for you to read.' }]),
  ),
  required: Object.keys(fields),
});

function partOf(resource: string, name: string, schemas: Json): Json {
  return PARTS[name] ?? propertyIn(componentIn(schemas, resource), name);
}

const { attempt: ATTEMPT } = EVENT_FIELDS['payment.succeeded'];
const ATTEMPT_FIELDS = typeof ATTEMPT === 'object' ? Object.keys(ATTEMPT) : [];

/** The fields that all events of a resource show. */
function sharedFields(resource: string): Fields {
  const [first, ...others] = EVENT_TYPES.filter((type) => resourceOf(type) === resource).map((t) => EVENT_FIELDS[t]);
  const shared = Object.entries(first ?? {}).filter(([name]) => others.every((fields) => name in fields));
  return Object.fromEntries(shared);
}

/** The schema of a resource as its events show it: the resource's own if they show all of it. */
function snapshotOf(resource: string, schemas: Json) {
  const shared = Object.keys(sharedFields(resource));
  const { properties } = componentIn(schemas, resource);
  const own = Object.keys(isObject(properties) ? properties : {});
  const isWhole = own.every((name) => shared.includes(name));
  return { name: isWhole ? resource : `${resource}Snapshot`, names: isWhole ? own : shared, isWhole };
}

function snapshots(schemas: Json): Json {
  const resources = Object.values(RESOURCES).filter((resource) => !snapshotOf(resource, schemas).isWhole);
  const made = resources.map((resource) => [`${resource}Snapshot`, snapshotSchema(resource, schemas)] as const);
  return {
    ...Object.fromEntries(made),
    AttemptReport: picked(componentIn(schemas, 'Attempt'), ATTEMPT_FIELDS, ['id']),
  };
}

function snapshotSchema(resource: string, schemas: Json): Json {
  const schema = componentIn(schemas, resource);
  const names = Object.keys(sharedFields(resource));
  const { required } = schema;
  const always = Array.isArray(required) ? required.filter((name) => names.includes(name)) : [];
  return picked(schema, names, resource === 'Payment' ? OF_EVERY_PAYMENT : always);
}

function picked(schema: Json, names: readonly string[], required: readonly string[]): Json {
  const properties = Object.fromEntries(names.map((name) => [name, propertyIn(schema, name)]));
  return { type: 'object', properties, required };
}
