import type { HostInfo } from '#lib/local/host-info.ts';

/** Pretty-prints JSON with nothing but Node, which every machine that runs the host has. */
export const FORMATTER = `node -p "JSON.stringify(JSON.parse(require('fs').readFileSync(0)), null, 2)"`;

export const USAGE = `npm start starts Payfork on this machine. It takes no arguments. Settings are environment variables:

  PORT=4000           the first of four ports in a row: API, function URL, control server, simulated providers
  DATA_DIR=.local     the folder of all data, from the project's folder; :memory: keeps nothing
  STAGE=sandbox       or live
  STORE=sqlite        or dynamodb: DynamoDB's local emulator, which needs Java 17
  RATE_LIMITS=on      or off, for load tests
  CALLBACK_URL=<url>  where providers reach this host's function URL, such as a tunnel's address
  HASH_VERSIONS=1     versions of the secrets of hashes; docs/local-host.md says more
  PSP_URL_<PROVIDER>  another address for one provider, such as PSP_URL_STRIPE=http://127.0.0.1:9000

For example: PORT=5000 DATA_DIR=:memory: npm start
README.md has the first steps, and docs/local-host.md all of this host.
`;

/** What the host prints once it serves: the first line is for programs, the rest for people. */
export function startText({ info, controlUrl }: { readonly info: HostInfo; readonly controlUrl: string }): string {
  const { api, simulators, keys } = info;
  return `ready ${api}

${firstPayment(info)}

The API answers programs, in JSON. In a browser open one of these:

Dashboard        ${onLocalhost(controlUrl)}/sign-in signs you in as the demo owner
                 ${onLocalhost(api)}/dashboard for everybody else
Documentation    ${onLocalhost(api)}/docs has guides, and every endpoint with examples to copy
API document     ${api}/openapi.json
Control server   ${controlUrl} lists what it does: clock, mailbox, scenarios. For your shell:
                 eval "$(curl -sS ${controlUrl}/shell)"
Providers        ${simulators}/<provider>/ simulates each
Service key      ${keys.service} (your server: X-Service-Key and X-Org-Id)
Secret key       ${keys.secret} (the same, as Authorization: Bearer)
Public key       ${keys.public} (your checkout page: confirms payments)
`;
}

/** Pages are opened under the name that browsers treat as secure. */
const onLocalhost = (address: string): string => address.replace('127.0.0.1', 'localhost');

/** A command to paste: one payment with the demo organization's own key. */
function firstPayment({ api, org_id, keys }: HostInfo): string {
  return [
    `curl -s ${api}/v1/payments`,
    `-H 'X-Service-Key: ${keys.service}'`,
    `-H 'X-Org-Id: ${org_id}'`,
    `-H "Idempotency-Key: first-$(date +%s)"`,
    "-H 'Content-Type: application/json'",
    `-d '{"amount": 1250, "currency": "EUR", "payment_method": {"type": "card", "token": "ok"}}' | ${FORMATTER}`,
  ].join(' \\\n  ');
}

/** One-line programs for `node -e "…"` in double quotes: they hold no character that a shell would replace. */
const PRETTY = [
  "let text = require('fs').readFileSync(0, 'utf8').trim();",
  'try { text = JSON.stringify(JSON.parse(text), null, 2); } catch {}',
  'if (text) console.log(text);',
].join(' ');
const FIELD = [
  "const [text, name] = [require('fs').readFileSync(0, 'utf8'), process.argv[1]];",
  "const value = name.split('.').reduce((inner, key) => inner?.[key], JSON.parse(text || 'null'));",
  "if (value === undefined) { console.error('There is no', name, 'in:', text); process.exit(1); }",
  "console.log(typeof value === 'object' ? JSON.stringify(value) : value);",
].join(' ');

/** Defines what the documents' examples use, in any shell with functions: sh, bash, zsh. */
export const shellText = ({ api, org_id, keys }: HostInfo, controlUrl: string): string => `\
API='${api}' CONTROL='${controlUrl}' KEY='${keys.service}' ORG='${org_id}'
# Prints JSON over several lines, and any other text as it is.
pretty() { node -e "${PRETTY}"; }
# field id, field data.id: that field of a JSON text.
field() { node -e "${FIELD}" "$1"; }
# api POST /v1/payments '{"amount": 4900, …}': calls the API, with a new idempotency key each time.
api() {
  curl -sS -X "$1" "$API$2" -H "X-Service-Key: $KEY" -H "X-Org-Id: $ORG" -H "Content-Type: application/json" \\
    -H "Idempotency-Key: $(node -p "require('crypto').randomBytes(16).toString('hex')")" \${3:+-d} \${3:+"$3"} | pretty
}
# control POST /clock '{"advance": "31d"}': calls the control server.
control() { curl -sS -X "$1" "$CONTROL$2" \${3:+-d} \${3:+"$3"}; }
`;
