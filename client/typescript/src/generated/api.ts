// Written by `npm run client` from the route table. Do not edit.
import type { Call } from '../call.ts';
import { abTests } from './ab-tests.ts';
import { agents } from './agents.ts';
import { apiKeys } from './api-keys.ts';
import { auth } from './auth.ts';
import { connections } from './connections.ts';
import { customers } from './customers.ts';
import { disputes } from './disputes.ts';
import { invoices } from './invoices.ts';
import { logs } from './logs.ts';
import { organizations } from './organizations.ts';
import { paymentLinks } from './payment-links.ts';
import { paymentMethods } from './payment-methods.ts';
import { payments } from './payments.ts';
import { platform } from './platform.ts';
import { policies } from './policies.ts';
import { reports } from './reports.ts';
import { routingRules } from './routing-rules.ts';
import { routingSimulator } from './routing-simulator.ts';
import { search } from './search.ts';
import { subscriptions } from './subscriptions.ts';
import { team } from './team.ts';
import { webhooks } from './webhooks.ts';
import { workflows } from './workflows.ts';

export class Api {
  /** Charges and refunds, routed to your own accounts at providers. */
  declare readonly payments: ReturnType<typeof payments>;
  /** Hosted pages where customers pay, without code at the merchant. */
  declare readonly paymentLinks: ReturnType<typeof paymentLinks>;
  /** Saved cards and accounts of customers, for later payments, at whichever provider has a token. */
  declare readonly paymentMethods: ReturnType<typeof paymentMethods>;
  /** What is kept of a customer, and how it is erased. */
  declare readonly customers: ReturnType<typeof customers>;
  /**
   * What customers dispute at their banks: answered here, or in the provider's dashboard where it takes no API
   * calls.
   */
  declare readonly disputes: ReturnType<typeof disputes>;
  /**
   * Customers who are charged each period, without being present.
   *
   * **Subscriptions** are charged without the customer, through connections whose provider supports it. Each period
   * has one
   * invoice; missed periods are charged later, in order. When the attempts of the retry policy are used up, the
   * invoice is
   * `failed` and the subscription `paused`; paying that invoice later does not resume it. A card that was declined
   * 8 times in 24 hours or 15 times in 30 days is not charged again within that time: an attempt then fails with
   * `retry_budget_exhausted`, and counts like
   * any other.
   */
  declare readonly subscriptions: ReturnType<typeof subscriptions>;
  /** What a subscription owes for a period, one each; retried by the retry policy until it is paid. */
  declare readonly invoices: ReturnType<typeof invoices>;
  /**
   * Events, and the endpoint where they are sent: the organization's own server.
   *
   * **Events** may arrive twice, with the same id. An event is `failed` after 9 delivery attempts within
   * 2 days, or more where your endpoint sent a `Retry-After`. `GET /v1/webhooks/events?status=failed`
   * lists these, and `POST /v1/webhooks/events/replay` sends all of a period again, the oldest first. It responds
   * before
   * they are sent, and an event that fails again stays `failed`.
   * Webhooks are disabled when your endpoint responds with 410, or when every delivery has failed for
   * 5 days and an event fails for attempt 5 or later. From then on new events
   * are `failed` without an attempt, until you save the configuration again.
   * After `POST /v1/webhooks/config/rotate-secret` both secrets sign for 24 hours:
   * `webhook-signature` has a signature by each, separated by a space, the newest first, and `X-Service-Signature`
   * is
   * made with the oldest secret that is still valid. Add the new secret to your endpoint beside the old one, and
   * remove the
   * old one when that time is over.
   */
  declare readonly webhooks: ReturnType<typeof webhooks>;
  /**
   * Automation of what follows an event: integrations, templates of steps, rules that run them, executions.
   *
   * **Workflows** automate what a merchant would otherwise do by hand. A rule, or a connection's `workflow_id`,
   * runs the
   * steps of a template for an event: once for each event and each rule or connection, even if the event arrives
   * several
   * times. Steps that move money or change a subscription take effect once; requests and mails are sent at least
   * once, with
   * the same id. A connection's template runs for `payment.created` and for the payment's final state. Saving a
   * template's steps, letting a rule or a connection run it, or starting it requires the scopes of what its steps
   * do:
   * `payments:write` for `tag_payment`, `cancel_payment`, `capture_payment` and `refund_payment`,
   * `subscriptions:write` for `pause_subscription`; otherwise it is 403 with `missing_scope`. A connection's
   * template also runs for events that
   * its own steps cause: check `event.type` where it should not.
   *
   * **Expressions** are written in CEL (cel.dev). They can use `event` (`id`, `type`, `created_at`) and `data`,
   * the resource as the event shows it: the payment, subscription or invoice at that time. In steps they can also
   * use
   * `execution` (`id`) and `steps`: the outputs of the steps before, by their ids, with `status` beside the
   * output, such as `steps.ask_crm.status_code`. A name that no event has or no step returns is 400, and so is one
   * that
   * can never occur for the events of a rule or a connection. Not supported are regular expressions and object
   * literals. An
   * expression may have at most 10 additions, and at most 2 loops over a list (`all`, `exists`,
   * `exists_one`, `filter`, `map`): not over the result of an addition, not inside another loop, without additions,
   * with at most 10 comparisons except those with constants, and with `in` for a list of constants only.
   * Durations are constants, as in `timestamp(event.created_at) - timestamp(data.period_start) > duration("72h")`
   * for an
   * `invoice.paid`. A rule's condition is false where a field has no value: check with `has(data.invoice_id)`, for
   * example at `payment.failed`. Fields that accept expressions say so: there an expression stands in `{{ }}`, at
   * most
   * 50 in one text. One without a value is replaced by nothing, and a long value is cut after
   * 500 characters.
   */
  declare readonly workflows: ReturnType<typeof workflows>;
  /** An organization's own accounts at providers. */
  declare readonly connections: ReturnType<typeof connections>;
  /**
   * Which connection takes which payments; all others use default routing.
   *
   * **The setup** of an organization has at most 500 routing rules, 50 connections and
   * 200 deleted connections, in every plan and stage. What a payment reads of it (connections, enabled
   * rules, running A/B tests and the fraud policy) has at most 128 KB, compressed; 500 usual rules
   * take a fifth of that. Beyond a limit the response is 409 `setup_limit_reached` with `details` of `metric`,
   * `used` and `limit`. What makes a setup smaller is always accepted.
   */
  declare readonly routingRules: ReturnType<typeof routingRules>;
  /** Compare routing rules on real payments. */
  declare readonly abTests: ReturnType<typeof abTests>;
  /** Which payments are blocked before any provider is called, and when a failed invoice is retried. */
  declare readonly policies: ReturnType<typeof policies>;
  /** Keys for servers, and public keys for checkouts. A key is shown once. */
  declare readonly apiKeys: ReturnType<typeof apiKeys>;
  /**
   * The organization itself.
   *
   * **Plans** limit, in production only, the payments created and the workflows executed in a calendar month (UTC),
   * and the
   * number of connections and of API keys: `free` 100, 50, 2, 5; `growth` 10 000, 5 000, 20, 50; `scale` is
   * unlimited. Beyond a
   * limit the response is 402 with `details` of `metric`, `used`, `limit` and `reset`, the end of the month, all
   * of them text. Nothing is stored, and the same idempotency key may be sent again. A repeat of an accepted
   * request is not
   * affected. A/B tests require `growth` or `scale`. Until its identity is verified, an organization's live keys
   * get
   * 403.
   */
  declare readonly organizations: ReturnType<typeof organizations>;
  /** The members of an organization with their roles, and what only they change of it. */
  declare readonly team: ReturnType<typeof team>;
  /** People sign in by a mailed link or a passkey; a session is a cookie. */
  declare readonly auth: ReturnType<typeof auth>;
  /** What agents may move in a day without a person, and the requests that wait for one. */
  declare readonly agents: ReturnType<typeof agents>;
  /** What the screens of the dashboard show: figures, what waits for a person, and the story of a payment. */
  declare readonly reports: ReturnType<typeof reports>;
  /** Any record, by what people have in their hands: an id, a reference, a customer. */
  declare readonly search: ReturnType<typeof search>;
  /**
   * Where a payment would go and why, and what edited rules would change for the newest payments. Nothing is
   * stored.
   */
  declare readonly routingSimulator: ReturnType<typeof routingSimulator>;
  /** Who changed what, and which requests failed. */
  declare readonly logs: ReturnType<typeof logs>;
  /**
   * For those who operate the service: all organizations, their identities and plans. Each action is in the audit
   * log.
   */
  declare readonly platform: ReturnType<typeof platform>;

  constructor(call: Call) {
    this.payments = payments(call);
    this.paymentLinks = paymentLinks(call);
    this.paymentMethods = paymentMethods(call);
    this.customers = customers(call);
    this.disputes = disputes(call);
    this.subscriptions = subscriptions(call);
    this.invoices = invoices(call);
    this.webhooks = webhooks(call);
    this.workflows = workflows(call);
    this.connections = connections(call);
    this.routingRules = routingRules(call);
    this.abTests = abTests(call);
    this.policies = policies(call);
    this.apiKeys = apiKeys(call);
    this.organizations = organizations(call);
    this.team = team(call);
    this.auth = auth(call);
    this.agents = agents(call);
    this.reports = reports(call);
    this.search = search(call);
    this.routingSimulator = routingSimulator(call);
    this.logs = logs(call);
    this.platform = platform(call);
  }
}
