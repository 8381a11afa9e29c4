import { TOTP } from 'otpauth';
import { OWNER } from '#test/drill/drilled-stage.ts';
import type { Emulator } from '#test/drill/emulator.ts';
import { cookiesOf, listOf, type StageClient } from '#test/drill/stage-client.ts';

const person = { as: 'person' } as const;
const nobody = { as: 'nobody' } as const;

/** The owner signs in by mail and does what only people may do. */
export async function people(stage: StageClient, emulator: Emulator): Promise<void> {
  await signIn(stage, emulator);
  await stage.call(200, 'GET', '/v1/auth/session', undefined, person);
  await stage.call(200, 'GET', '/v1/auth/sessions', undefined, person);
  await stage.call(200, 'GET', '/v1/failed-requests', undefined, person);
  await stage.call(200, 'GET', '/v1/organization', undefined, person);
  await stage.call(200, 'PATCH', '/v1/organization', { name: 'Shop 2' }, person);
  await stage.call(200, 'GET', '/v1/organization/audit', undefined, person);
  await stage.call([200, 201], 'POST', '/v1/members', { email: 'clerk@example.com', role: 'member' }, person);
  const members = await stage.call(200, 'GET', '/v1/members', undefined, person);
  await decideAboutAgent(stage);
  await stage.call(200, 'POST', '/v1/auth/webauthn/register/begin', {}, person);
  await stage.call(200, 'GET', '/v1/auth/webauthn/credentials', undefined, person);
  const clerk = listOf(members).find(({ email }) => email === 'clerk@example.com');
  await stage.call([200, 204], 'DELETE', `/v1/members/${clerk?.id}`, undefined, person);
  const setup = await stage.call(200, 'POST', '/v1/auth/2fa/setup', undefined, person);
  const code = new TOTP({ secret: setup.json.secret }).generate();
  await stage.call(200, 'POST', '/v1/auth/2fa/enable', { code }, person);
  // A code of the app counts once, and the next one comes in half a minute.
  await signIn(stage, emulator, setup.json.recovery_codes?.at(0));
  await administer(stage);
  await stage.call([200, 204], 'POST', '/v1/auth/logout', {}, person);
}

/** An agent lists its tools, asks for money, and gets it once a person has approved it. */
async function decideAboutAgent(stage: StageClient): Promise<void> {
  const body = { name: 'agent', kind: 'secret', scopes: ['payments:read', 'payments:write'], agent: true };
  const { key } = (await stage.call(201, 'POST', '/v1/api-keys', body, person)).json;
  const agent = (more = {}) => ({ as: 'nobody', headers: { authorization: `Bearer ${key}`, ...more } }) as const;
  const accept = agent({ accept: 'application/json, text/event-stream' });
  // The emulator does not lead calls of the stage's own address back to the stage: its key cannot be looked up there.
  await stage.call([200, 503], 'POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }, accept);
  await stage.call(200, 'GET', '/v1/organization/agent-limits', undefined, person);
  await stage.call(200, 'PATCH', '/v1/organization/agent-limits', { daily: { EUR: 100 } }, person);
  const link = { amount: 500, currency: 'EUR' };
  const options = agent({ 'idempotency-key': 'drilled-agent' });
  const asked = await stage.call(403, 'POST', '/v1/payment-links', link, options);
  const path = `/v1/agent-approvals/${asked.json.details?.approval_id}`;
  await stage.call(200, 'GET', '/v1/agent-approvals?status=pending', undefined, person);
  await stage.call(200, 'GET', path, undefined, person);
  await stage.call(200, 'POST', `${path}/approve`, undefined, person);
  await stage.call(201, 'POST', '/v1/payment-links', link, options);
}

async function signIn(stage: StageClient, { mails }: Emulator, code?: string): Promise<void> {
  const before = linksIn(await mails()).length;
  await stage.call(202, 'POST', '/v1/auth/magic-link', { email: OWNER }, nobody);
  const link = await stage.until('the sign-in mail arrives', 20, async () => linksIn(await mails()).at(before));
  if (link === undefined) return;
  await stage.call(200, 'GET', link.pathname + link.search, undefined, nobody);
  const { searchParams } = link;
  if (code !== undefined) searchParams.set('code', code);
  const verified = await stage.call([200, 302, 303], 'GET', `/v1/auth/verify?${searchParams}`, undefined, nobody);
  stage.cookie = cookiesOf(verified);
}

async function administer(stage: StageClient): Promise<void> {
  await stage.call(200, 'GET', '/v1/platform/me', undefined, person);
  await stage.call(200, 'GET', '/v1/platform/organizations', undefined, person);
  const admin = { email: 'admin@example.com', role: 'platform_admin' };
  const made = await stage.call([200, 201], 'POST', '/v1/platform/admins', admin, person);
  await stage.call(200, 'GET', '/v1/platform/admins', undefined, person);
  await stage.call([200, 204], 'DELETE', `/v1/platform/admins/${made.json.id}`, undefined, person);
  await stage.call(200, 'GET', '/v1/platform/audit', undefined, person);
}

/** The sign-in links that were mailed to the owner, oldest first. */
function linksIn(mails: readonly unknown[]): readonly URL[] {
  const texts = mails.map((each) => JSON.stringify(each)).filter((text) => text.includes(OWNER));
  const links = texts.map((text) => /https?:\/\/[^\s"\\]+token=[^\s"\\]+/.exec(text)?.[0]);
  return links.filter((link) => link !== undefined).map((link) => new URL(link));
}
