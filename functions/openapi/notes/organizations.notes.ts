import type { Notes } from '#functions/openapi/word-book.ts';
import { MAX_MEMBERS } from '#shared/domain/accounts/members.rules.ts';
import { ACTION_LIMITS } from '#shared/domain/accounts/rate-limits.rules.ts';
import { INVITATION_LIFETIME } from '#shared/domain/accounts/sign-in.model.ts';
import { DAY } from '#shared/kernel/clock.ts';

export const ORGANIZATIONS_NOTES = {
  AgentApproval: {
    this:
      'A request of an agent that a person decides about. Approving runs nothing: the agent repeats its request, ' +
      'with the same idempotency key, and it runs once.',
    status: '`used` once the agent has repeated it. `expired` when nobody decided, or nothing was repeated, in time.',
    key_id: "The agent's API key.",
    agent_name: "What the agent's program calls itself; a claim. Null if it does not say.",
    operation: 'Method and path of what it wants to do.',
    scope: 'Who decides needs this scope.',
    resource_id: 'The id in the path: the payment to refund, for example. `null` where something new is made.',
    amount:
      'What it moves, in minor units: a subscription each period, a link with all its payments. `null` where that is ' +
      'not known beforehand.',
    currency: 'The currency of `amount`. Null without `amount`.',
    customer_id: 'As the agent sent it. Null without one.',
    description: 'As the agent sent it, up to 200 characters. Null without one.',
    terms: 'What else it sent that matters to who decides, such as `interval`, `max_payments`, `reason` or `force`.',
    expires_at: 'Until then it can be decided and repeated.',
    decided_by: 'The user who decided. Null until then.',
    decided_at: 'When it was decided. Null until then.',
    used_at: 'When the agent repeated it. Null until then.',
  },
  'AgentLimits, ChangeAgentLimits': {
    daily:
      "By currency: what each agent's key may move within any 24 hours without a person, in minor units. The amounts " +
      'of all its requests count together, each for a day and until the hour is over. A currency that is missing: ' +
      'every request asks a person.',
    'daily{}': 'Minor units a day.',
  },
  'GET /v1/agent-approvals': {
    status: 'Only those that wait for a person.',
  },
  AddMember: {
    this:
      `An address that is not a member is invited by email, at most ${ACTION_LIMITS.invitation.limit} times a day ` +
      `per organization and ${ACTION_LIMITS.invitation_to_recipient.limit} times a day per address. They become a ` +
      `member with the link of the email, which works for ${INVITATION_LIFETIME / DAY} days; adding them again then ` +
      'sends another one. A member gets the role. Only owners can grant or remove the role `owner`, and the last ' +
      `owner who has signed in keeps it. An organization can have at most ${MAX_MEMBERS} members.`,
    email: 'The address of the user, who gets mail.',
    role: 'What the member may do.',
  },
  ChangeOrganizationSettings: {
    this:
      'What customers see of the organization on payment pages and receipts, beside its `name` and `legal_name`. ' +
      'Omitted fields stay as they are; `null` clears a field.',
    website_url: 'The shop: payment pages have a link back to it. `null` removes it.',
    logo_url: "An image on your own server, which customers' browsers load on payment pages. `null` removes it.",
    email_receipts:
      'Whether `customer_email` of a succeeded payment gets a receipt. Off by default. Until identity verification ' +
      'is approved, only members who have signed in get one.',
  },
  'GET /v1/organization/audit': {
    response: 'API keys, members, roles, names, and the second factors and passkeys of its members. Newest first.',
  },
  Member: {
    this: 'A user in the organization.',
    id: 'The id of the user.',
    role: 'What the member may do.',
    joined_at: 'When the member opened the invitation. Null until then.',
    created_at: 'When the user was added.',
    status: '`active` once the member has opened the link of the invitation. Until then they have no access.',
    created_by: 'The user who added the member. `null` if that was not recorded.',
    role_given_by: 'The user who gave this role. `null` if that was not recorded.',
    invited_at:
      'When the invitation was sent. `null` if none was needed, or it could not be sent: add the member again to ' +
      'send it.',
  },
  Organization: {
    this: 'A merchant.',
    name: 'The name that customers see.',
    legal_name: 'The name that identity verification is about. Null until it is set.',
    kyc: 'The state of identity verification. Only `approved` organizations get live keys.',
    plan: 'The plan, which sets limits.',
    requested_legal_name:
      'The legal name that waits for approval. Until then `legal_name` stays. `null` if none waits.',
    renamed_by: 'The user who changed a name last. `null` if nobody has.',
    role: 'The role of the signed-in user; `null` with an API key.',
  },
  OrganizationAudit: {
    this: 'A change of keys, members or settings.',
    action: 'What was done.',
    target: 'What it was done to.',
    'target.type': 'What kind of object it is.',
    'target.id': 'The id of the object.',
    metadata: 'Details of the change.',
    created_at: 'When it was done.',
    actor_id: 'The user or the API key that acted. Never what `X-Actor-Id` claims.',
    'target.name': '`null` for users: `GET /v1/members` shows their addresses.',
    'metadata.changes': 'By field.',
    'metadata.credential_id': 'The API key or the session that was used. Null where neither was used.',
    'metadata.claimed_actor_id': '`X-Actor-Id` of a call with an API key, as it was sent. Null if none was sent.',
  },
  RenameOrganization: {
    this:
      'Omitted fields stay as they are. Identity verification is about `legal_name`: a different one (apart from ' +
      'spelling, punctuation and legal form) sets `kyc` from `rejected` back to `pending`. While `kyc` is ' +
      '`approved`, only owners can change `legal_name`. A new one waits in `requested_legal_name` and takes effect ' +
      'when it is approved; the current one withdraws the request. `null` sets `kyc` back to `pending`. In ' +
      "production the organization's API keys then stop working, until it is approved again. The name matches of " +
      'connections stay until they are validated again.',
    name: 'The name that customers see.',
    legal_name: 'The name in the register of companies. `null` removes it.',
  },
  MemberList: {
    this: 'The members, newest first.',
    members: 'The members of this page.',
  },
  OrganizationSettings: {
    this: 'What customers see of the organization.',
    website_url: 'The shop: payment pages have a link back to it. Null: none.',
    logo_url: "An image on the merchant's server, shown on payment pages. Null: none.",
    email_receipts: 'Whether `customer_email` of a succeeded payment gets a receipt.',
  },
  'ChangeOrganizationSettings, OrganizationSettings': {
    support_email: 'Where customers can write. Null: it is not shown.',
    support_phone: 'Where customers can call. Null: it is not shown.',
    receipt_language: "The language of receipts where the customer's is unknown.",
  },
  AgentLimits: {
    this: "What agents' keys may move without a person.",
  },
  ChangeAgentLimits: {
    this: 'Changes the limits of the currencies that it names. `null` removes one.',
  },
  AgentApprovalList: {
    this: 'Newest first. For members with a session: no API key may see or decide them.',
    agent_approvals: 'The requests of this page.',
  },
} as const satisfies Notes;
